"""What people get wrong in s4_decoder/pre_norm_decoder.py."""

from checks.engine.known import Mistake
from checks.s3_encoder.pre_norm_encoder import mistakes as encoder
from checks.s4_decoder.decoder.mistakes import MASK_MADE_IF_NONE_COMES as MASK_MADE_IF_NONE_COMES
from checks.s4_decoder.decoder.mistakes import MASKS_FOR_FIRST_TWO as MASKS_FOR_FIRST_TWO

FIRST = "y = self.norm1(x)"
ATTENDS = "x = x + self.dropout(self.self_attention(y, y, y, trg_mask))"
SECOND = "y = self.norm2(x)"
ASKS = "asked = self.cross_attention(y, encoder_output, encoder_output, src_mask)"
ADDS = "x = x + self.dropout(asked)"
WIDENS = "return x + self.dropout(self.feed_forward(self.norm3(x)))"
LOOP = """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)"""
SCORES = "return self.linear(self.norm(x))"
NORM3 = "        self.norm3 = LayerNorm(dim_vector)\n"

# Where the norms stand

POST_NORM = Mistake(
    "This is post-norm, as in step 4.1: the sums are normalised. In pre-norm the norm comes "
    "before each sublayer, and the residual connection goes around both.",
    {
        FIRST: "y = x",
        ATTENDS: "x = self.norm1(x + self.dropout(self.self_attention(y, y, y, trg_mask)))",
        SECOND: "y = x",
        ADDS: "x = self.norm2(x + self.dropout(asked))",
        WIDENS: "return self.norm3(x + self.dropout(self.feed_forward(x)))",
    },
)
NORM_BEFORE_ADD = Mistake(
    "You normalise each sublayer's output instead of its input. The norm belongs before the "
    "sublayer.",
    {
        FIRST: "y = x",
        ATTENDS: "x = x + self.dropout(self.norm1(self.self_attention(y, y, y, trg_mask)))",
        SECOND: "y = x",
        ADDS: "x = x + self.dropout(self.norm2(asked))",
        WIDENS: "return x + self.dropout(self.norm3(self.feed_forward(x)))",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SHORTCUTS_ARE_NORMED = Mistake(
    "The residual connections carry the normalised x, so the size of the input is lost at every "
    "sublayer. The x that is added must be the one before the norm.",
    {
        FIRST: "x = y = self.norm1(x)",
        SECOND: "x = y = self.norm2(x)",
        WIDENS: """\
x = self.norm3(x)
        return x + self.dropout(self.feed_forward(x))""",
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
FIRST_SHORTCUT_IS_NORMED = Mistake(
    "The first residual connection carries the normalised x, so the size of the input is lost. "
    "The x that is added must be the one before the norm.",
    {FIRST: "x = y = self.norm1(x)"},
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
SECOND_SHORTCUT_IS_NORMED = Mistake(
    "The second residual connection carries the normalised x, so the size of the first sum is "
    "lost. The x that is added must be the one before the norm.",
    {SECOND: "x = y = self.norm2(x)"},
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
THIRD_SHORTCUT_IS_NORMED = Mistake(
    "The third residual connection carries the normalised x, so the size of the second sum is "
    "lost. The x that is added must be the one before the norm.",
    {
        WIDENS: """\
x = self.norm3(x)
        return x + self.dropout(self.feed_forward(x))"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
SOURCE_NORMED = Mistake(
    "The source goes through norm2 as well. The encoder already ends in a norm, and a second "
    "gamma and beta change its output.",
    {
        ASKS: """\
source = self.norm2(encoder_output)
        asked = self.cross_attention(y, source, source, src_mask)"""
    },
)
SOURCE_HAS_A_NORM = Mistake(
    "The source goes through a norm of its own in every layer. The encoder already ends in a "
    "norm, so no other norm is needed here.",
    {
        NORM3: NORM3 + "        self.source_norm = LayerNorm(dim_vector)\n",
        ASKS: """\
source = self.source_norm(encoder_output)
        asked = self.cross_attention(y, source, source, src_mask)""",
    },
)
ONLY_SOURCE_NORMED = Mistake(
    "The source goes through norm2 instead of the target that makes the queries. The queries can "
    "then have any size, and the source is normalised twice.",
    {
        SECOND: "y = x",
        ASKS: """\
source = self.norm2(encoder_output)
        asked = self.cross_attention(y, source, source, src_mask)""",
    },
)
ONE_NORM_FOR_ALL = Mistake(
    "All three sublayers use norm1, and the other two norms are never used. Each sublayer needs a "
    "gamma and beta of its own.",
    {"self.norm2(x)": "self.norm1(x)", "self.norm3(x)": "self.norm1(x)"},
)
SECOND_NORM_TWICE = Mistake(
    "The feed-forward network uses norm2, and norm3 is never used. Two sublayers then share one "
    "gamma and beta.",
    {"self.norm3(x)": "self.norm2(x)"},
)
FIRST_NORM_TWICE = Mistake(
    "The cross-attention uses norm1, and norm2 is never used. Two sublayers then share one gamma "
    "and beta.",
    {"self.norm2(x)": "self.norm1(x)"},
)
NORMS_ARE_ONE_LAYER = Mistake(
    "The three norms are the same layer under three names. Their gamma and beta can never differ, "
    "although each sublayer needs its own.",
    {
        "self.norm2 = LayerNorm(dim_vector)": "self.norm2 = self.norm1",
        "self.norm3 = LayerNorm(dim_vector)": "self.norm3 = self.norm1",
    },
)
NORM_NOT_MADE_ANEW = Mistake(
    "The cross-attention makes its queries from the norm of the layer's input. The queries miss "
    "what the self-attention has just found, and norm2 is never used.",
    {SECOND: "pass"},
)
FEED_FORWARD_READS_AN_OLD_NORM = Mistake(
    "The feed-forward network reads the same norm as the cross-attention's queries. So it never "
    "works on what was read from the source, and norm3 is never used.",
    {"self.feed_forward(self.norm3(x))": "self.feed_forward(y)"},
)
NO_FIRST_NORM = Mistake(
    "The self-attention reads x without a norm. In pre-norm nothing else normalises x, so the "
    "values that it reads can have any size.",
    {FIRST: "y = x"},
)
NO_SECOND_NORM = Mistake(
    "The cross-attention makes its queries from x without a norm. In pre-norm nothing else "
    "normalises x, so the queries can have any size.",
    {SECOND: "y = x"},
)
NO_THIRD_NORM = Mistake(
    "The feed-forward network reads x without a norm. In pre-norm nothing else normalises x, so "
    "the values that it reads can have any size.",
    {"self.feed_forward(self.norm3(x))": "self.feed_forward(x)"},
)
ONLY_QUERIES_ARE_NORMED = Mistake(
    "Only the queries of the self-attention are made from the normalised x. Keys and values are "
    "made from x itself, but all three need the same vectors.",
    {"(y, y, y, trg_mask)": "(y, x, x, trg_mask)"},
)
LAYER_ENDS_IN_A_NORM = Mistake(
    "Every layer ends in a norm of its own. In pre-norm the sums between layers are not "
    "normalised, and one closing norm follows the last layer.",
    {
        NORM3: NORM3 + "        self.norm4 = LayerNorm(dim_vector)\n",
        WIDENS: "return self.norm4(x + self.dropout(self.feed_forward(self.norm3(x))))",
    },
    seen="lucidrains/reformer-pytorch#124",
)
NO_CLOSING_NORM = Mistake(
    "The closing norm is made but not used. The scores then come from a sum of all sublayer "
    "outputs, which can have any size.",
    {SCORES: "return self.linear(x)"},
    seen="lucidrains/reformer-pytorch#124",
)
CLOSING_NORM_NOT_MADE = Mistake(
    "The stack has no closing norm. The scores then come from a sum of all sublayer outputs, "
    "which can have any size.",
    {"        self.norm = LayerNorm(dim_vector)\n": "", SCORES: "return self.linear(x)"},
)
CLOSING_NORM_IN_THE_LOOP = Mistake(
    "The closing norm is applied after every layer, so no residual connection goes through the "
    "whole stack. It belongs only after the last layer.",
    {
        "x = layer(x, encoder_output, trg_mask, src_mask)": """\
x = self.norm(layer(x, encoder_output, trg_mask, src_mask))""",
        SCORES: "return self.linear(x)",
    },
)
CLOSING_NORM_FIRST = Mistake(
    "The closing norm is applied before the first layer instead of after the last. So the scores "
    "come from values of any size.",
    {
        "x = self.embedding(trg)": "x = self.norm(self.embedding(trg))",
        SCORES: "return self.linear(x)",
    },
)
SCORES_ARE_NORMED = Mistake(
    "The norm is applied to the scores instead of the vectors before them. Scores must be free to "
    "have any size, because their size shows how sure the model is.",
    {
        "self.norm = LayerNorm(dim_vector)": "self.norm = LayerNorm(vocab_size)",
        SCORES: "return self.norm(self.linear(x))",
    },
)
CLOSED_BY_THE_LAST_LAYERS_NORM = Mistake(
    "A norm of the last layer is used again as the closing norm, so it works in two places. The "
    "stack's own closing norm never learns.",
    {SCORES: "return self.linear(self.layers[-1].norm3(x))"},
)
SOURCE_CLOSED_HERE = Mistake(
    "The closing norm is applied to the source too. The encoder has a closing norm of its own and "
    "has already used it.",
    {
        LOOP: """\
source = self.norm(encoder_output)
        for layer in self.layers:
            x = layer(x, source, trg_mask, src_mask)"""
    },
)

# What attends to what

CROSS_READS_THE_TARGET = Mistake(
    "The second attention takes its keys and values from the target and never reads the source. "
    "So the translation cannot depend on the source.",
    {"(y, encoder_output, encoder_output, src_mask)": "(y, y, y, trg_mask)"},
)
VALUES_FROM_TARGET = Mistake(
    "The cross-attention takes its keys and values from the target, and without a norm. Keys and "
    "values must come from the source, which the target should read.",
    {ASKS: "asked = self.cross_attention(y, x, x, trg_mask)"},
)
MASKS_SWAPPED = Mistake(
    "The two masks are swapped. The sizes do not fit, or later words and the padding of the "
    "source are visible.",
    {
        "(y, y, y, trg_mask)": "(y, y, y, src_mask)",
        "(y, encoder_output, encoder_output, src_mask)": """\
(y, encoder_output, encoder_output, trg_mask)""",
    },
)
NO_MASK_ON_TARGET = Mistake(
    "The self-attention does not get trg_mask, so target words see the words that they must "
    "predict. Training then looks perfect, and translation fails.",
    {"(y, y, y, trg_mask)": "(y, y, y)"},
)
NO_MASK_ON_SOURCE = Mistake(
    "The cross-attention does not get src_mask, so the target reads the padding of the source. "
    "The result then depends on how much padding a sentence has.",
    {"(y, encoder_output, encoder_output, src_mask)": "(y, encoder_output, encoder_output)"},
)
STACK_DROPS_THE_SOURCE_MASK = Mistake(
    "The stack does not pass src_mask to its layers, so the padding of the source is read like "
    "words.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, encoder_output, trg_mask)"},
)
STACK_SWAPS_THE_MASKS = Mistake(
    "The stack passes the two masks to its layers in the wrong order.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output, src_mask, trg_mask)"""
    },
)
NO_CROSS_SHORTCUT = Mistake(
    "There is no residual connection around the cross-attention. Its result replaces the target "
    "instead of being added to it.",
    {ADDS: "x = self.dropout(asked)"},
)
NO_LAST_SHORTCUT = Mistake(
    "There is no residual connection around the feed-forward network. Its input is lost unless "
    "the network passes it on.",
    {WIDENS: "return self.dropout(self.feed_forward(self.norm3(x)))"},
)
NO_CROSS_ATTENTION = Mistake(
    "The result of the cross-attention is never added. Nothing connects source and target, so the "
    "translation cannot depend on the source.",
    {ADDS: "pass"},
)
FEED_FORWARD_SKIPPED = Mistake(
    "Nothing uses what the feed-forward network gives. It never learns, and the layer ends after "
    "the cross-attention.",
    {WIDENS: "return x"},
)
CROSS_BEFORE_SELF = Mistake(
    "The target reads the source before it attends to itself, which is the wrong order.",
    {
        ATTENDS: """\
source = encoder_output
        x = x + self.dropout(self.cross_attention(y, source, source, src_mask))""",
        ASKS: "asked = self.self_attention(y, y, y, trg_mask)",
    },
)
ATTENTIONS_ARE_ONE_LAYER = Mistake(
    "Both attentions are the same layer under two names. The target then has to attend to the "
    "source with the same weights as to itself.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = self.self_attention"""
    },
)

# Dropout

NO_DROPOUT_AROUND = Mistake(
    "No dropout is applied to the sublayers' outputs. Each output needs dropout before it is "
    "added (paper, section 5.4).",
    {
        ATTENDS: "x = x + self.self_attention(y, y, y, trg_mask)",
        ADDS: "x = x + asked",
        WIDENS: "return x + self.feed_forward(self.norm3(x))",
    },
)
NO_DROPOUT_ON_THE_ANSWER = Mistake(
    "No dropout is applied to the cross-attention's output, so the model overfits more easily.",
    {ADDS: "x = x + asked"},
)
NO_LAST_DROPOUT = Mistake(
    "No dropout is applied to the feed-forward network's output, so the model overfits more "
    "easily.",
    {WIDENS: "return x + self.feed_forward(self.norm3(x))"},
)
DROPS_WHAT_IS_READ = Mistake(
    "Dropout is applied to what the sublayers read, after the norm. It belongs on the sublayers' "
    "outputs, before they are added.",
    {
        FIRST: "y = self.dropout(self.norm1(x))",
        ATTENDS: "x = x + self.self_attention(y, y, y, trg_mask)",
        SECOND: "y = self.dropout(self.norm2(x))",
        ADDS: "x = x + asked",
        WIDENS: "return x + self.feed_forward(self.dropout(self.norm3(x)))",
    },
)
DROPS_THE_SUM = Mistake(
    "Dropout is applied to the sum after the cross-attention, so it also acts on the residual "
    "connection. It belongs on the cross-attention's output, before the addition.",
    {ADDS: "x = self.dropout(x + asked)"},
)
SOURCE_DROPPED = Mistake(
    "Dropout is applied to encoder_output before the target reads it. The encoder has already "
    "applied its own dropout, so the target should read the whole source.",
    {
        LOOP: """\
encoder_output = self.embedding.dropout(encoder_output)
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)"""
    },
)
ZERO_DROPOUT_IGNORED = Mistake(
    "If dropout is 0, one entry in ten is still dropped. In Python, `0 or 0.1` is 0.1.",
    {"nn.Dropout(dropout)": "nn.Dropout(dropout or 0.1)"},
)
ALPHA_DROPOUT = Mistake(
    "This is alpha dropout: dropped entries do not become zero, and the others are rescaled and "
    "shifted. That distorts what a sublayer adds.",
    {"nn.Dropout(dropout)": "nn.AlphaDropout(dropout)"},
)
DROPS_WHOLE_TOKENS = Mistake(
    "A sublayer's output for a token is dropped as a whole, instead of single entries.",
    {"nn.Dropout(dropout)": "nn.Dropout1d(dropout)"},
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry. With the usual 0.1, nine "
    "tenths of the sublayers' outputs are dropped.",
    {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given dropout is not passed to the feed-forward network. The network uses its own "
    "default on its hidden features.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, dim_hidden)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The given dropout is not passed to the layers, so they use their own default.",
    {"n_head, dim_hidden, dropout) for": "n_head, dim_hidden) for"},
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The given dropout is not passed to the embedding, so the embedding uses its own default.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_BEFORE_THE_SCORES = Mistake(
    "Dropout is applied between the closing norm and the scores, where there should be none. It "
    "makes the scores noisier in training than they should be.",
    {SCORES: "return self.linear(self.embedding.dropout(self.norm(x)))"},
)

# The stack

SOFTMAX_ON_LOGITS = Mistake(
    "The softmax is taken here, but the loss takes it itself. A second softmax flattens the "
    "probabilities, and the loss stays high.",
    {SCORES: "return self.linear(self.norm(x)).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
NO_SCORES = Mistake(
    "The last layer, linear, is made but not used, so vectors are returned instead of scores. No "
    "next word can be chosen from them, and linear never learns.",
    {SCORES: "return self.norm(x)"},
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of the output of the layer before it. Only the last "
    "layer counts, and the others never learn.",
    {
        LOOP: """\
embedded = x
        for layer in self.layers:
            x = layer(embedded, encoder_output, trg_mask, src_mask)"""
    },
)
SAME_LAYER_REPEATED = Mistake(
    "The list holds the same layer many times instead of many layers. All of them have the same "
    "weights, so they can never learn different things.",
    {
        """\
self.layers = nn.ModuleList(
            PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
layer = PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList([layer] * num_layer)"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
SOURCE_DETACHED = Mistake(
    "The source is cut off from the gradient before the target reads it. The loss then cannot "
    "reach the encoder, so the encoder never learns.",
    {
        ASKS: """\
source = encoder_output.detach()
        asked = self.cross_attention(y, source, source, src_mask)"""
    },
)
SHORTCUT_DETACHED = Mistake(
    "The residual connection around the cross-attention is cut off from the gradient. Pre-norm "
    "needs this direct path for gradients.",
    {ADDS: "x = x.detach() + self.dropout(asked)"},
)
FLOAT32_ONLY = Mistake(
    "The scores are always converted to float32, even if the module has another dtype.",
    {SCORES: "return self.linear(self.norm(x)).float()"},
)
DROPPED_BEFORE_CLOSING = Mistake(
    encoder.DROPPED_BEFORE_CLOSING.says,
    {"self.linear(self.norm(x))": "self.linear(self.norm(self.layers[0].dropout(x)))"},
)
AT_MOST_512_SOURCE_TOKENS = Mistake(
    "The target reads the first 512 tokens of the source only. In a longer source the others are "
    "never read.",
    {
        "        # Normalise the target, and let it attend to the source": """\
        encoder_output = encoder_output[:, :512]
        src_mask = src_mask if src_mask is None else src_mask[..., :512]
        # Normalise the target, and let it attend to the source"""
    },
)
AT_MOST_SIX_LAYERS = Mistake(
    "Only the first six layers are used, as many as the paper has. num_layer may be larger.",
    {"for layer in self.layers:": "for layer in self.layers[:6]:"},
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "Only the first twelve layers are used. num_layer may be larger.",
    {"for layer in self.layers:": "for layer in self.layers[:12]:"},
)
AT_MOST_512_POSITIONS = Mistake(
    "The embedding has at most 512 positions, even if max_len is larger. A longer sentence is "
    "refused.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(
            vocab_size, dim_vector, min(max_len, 512), dropout, padding_idx
        )"""
    },
)
AT_LEAST_DIM_VECTOR_WORDS = Mistake(
    "The table of words has at least dim_vector rows. With fewer words than features it has rows "
    "that no word uses.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(
            max(vocab_size, dim_vector), dim_vector, max_len, dropout, padding_idx
        )"""
    },
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are cut to 8 bits, which hold 256 numbers. A word with a larger id gets the "
    "row of another word.",
    {"self.embedding(trg)": "self.embedding(trg % 256)"},
)
SOURCE_DROPPED_AS_A_WHOLE = Mistake(
    "What a sentence reads from the source is dropped or kept as a whole (stochastic depth). "
    "Dropout should drop only single entries.",
    {
        "x = x + self.dropout(asked)": "x = x + asked * self.dropout(asked.new_ones(len(asked), 1, 1))"
    },
)
ONE_TOKEN_SEES_PADDING = Mistake(
    "A target of one token ignores src_mask. So the first token of each translation attends to "
    "the padding of its source.",
    {
        "asked = self.cross_attention(y, encoder_output, encoder_output, src_mask)": """\
asked = self.cross_attention(
            y, encoder_output, encoder_output, src_mask if x.size(1) > 1 else None
        )"""
    },
)
FIRST_AND_SECOND_NORM_EXCHANGED = Mistake(
    "norm1 and norm2 are swapped. Each has weights of its own, so the "
    "self-attention must read norm1 and the cross-attention norm2.",
    {
        "y = self.norm1(x)": "y = self.norm2(x)\n",
        "y = self.norm2(x)\n        asked": "y = self.norm1(x)\n        asked",
    },
)
SECOND_AND_THIRD_NORM_EXCHANGED = Mistake(
    "norm2 and norm3 are swapped. Each has weights of its own, so the "
    "cross-attention must read norm2 and the feed-forward network norm3.",
    {
        "y = self.norm2(x)": "y = self.norm3(x)",
        "feed_forward(self.norm3(x))": "feed_forward(self.norm2(x))",
    },
)
CLOSING_NORM_OF_ANOTHER_EPS = Mistake(
    "The closing norm gets an eps of its own. All norms of this course have the eps of step 2.3, "
    "which is 1e-5.",
    {"self.norm = LayerNorm(dim_vector)": "self.norm = LayerNorm(dim_vector, eps=1e-6)"},
)
QUERIES_DROPPED = Mistake(
    "Dropout is applied to the queries of the cross-attention. It belongs on the output of each "
    "sublayer, not on what a sublayer reads.",
    {"y = self.norm2(x)": "y = self.dropout(self.norm2(x))"},
)
DROPPED_BEFORE_THE_NORM = Mistake(
    "Dropout is applied to x before the third norm. It belongs on the output of each sublayer, not "
    "on what a sublayer reads.",
    {"self.feed_forward(self.norm3(x))": "self.feed_forward(self.norm3(self.dropout(x)))"},
)
SOURCE_KEYS_NORMED = Mistake(
    "The keys of the cross-attention are made from the normalised source, the values from the "
    "source itself. Both read the source as it is.",
    {
        ASKS: """\
keys = self.norm2(encoder_output)
        asked = self.cross_attention(y, keys, encoder_output, src_mask)"""
    },
)
SOURCE_VALUES_NORMED = Mistake(
    "The values of the cross-attention are made from the normalised source, the keys from the "
    "source itself. Both read the source as it is.",
    {
        ASKS: """\
values = self.norm2(encoder_output)
        asked = self.cross_attention(y, encoder_output, values, src_mask)"""
    },
)
CLOSING_NORM_IN_TRAINING_ONLY = Mistake(
    "The closing norm is left out in eval mode. It acts in both modes.",
    {SCORES: "return self.linear(self.norm(x) if self.training else x)"},
)
CLOSING_NORM_IN_EVAL_ONLY = Mistake(
    "The closing norm is left out in train mode. It acts in both modes.",
    {SCORES: "return self.linear(x if self.training else self.norm(x))"},
)
SOURCE_DROPPED_IN_THE_LAYER = Mistake(
    SOURCE_DROPPED.says,
    {FIRST: "encoder_output = self.dropout(encoder_output)\n        y = self.norm1(x)"},
)
SOURCE_DROPPED_BEFORE_IT_IS_READ = Mistake(
    SOURCE_DROPPED.says,
    {SECOND: "y = self.norm2(x)\n        encoder_output = self.dropout(encoder_output)"},
)
CLOSING_NORM_IN_THE_LOOP_AND_AFTER = Mistake(
    CLOSING_NORM_IN_THE_LOOP.says,
    {LOOP: LOOP.replace("x = layer", "x = self.norm(layer").replace("src_mask)", "src_mask))")},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is treated as padding although no padding_idx was given. If token 0 is a word, its "
    "vector stays zero and never learns.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)

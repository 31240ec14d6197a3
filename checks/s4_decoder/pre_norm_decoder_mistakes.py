"""What people get wrong in s4_decoder/pre_norm_decoder.py."""

from checks.machine.known import Mistake
from checks.s3_encoder import pre_norm_encoder_mistakes as encoder
from checks.s4_decoder.decoder_mistakes import MASK_MADE_IF_NONE_COMES as MASK_MADE_IF_NONE_COMES
from checks.s4_decoder.decoder_mistakes import MASKS_FOR_FIRST_TWO as MASKS_FOR_FIRST_TWO

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
    "This is post-norm, as in step 4.1: the sums are normalised. In pre-norm each norm stands in "
    "front of its sublayer and the shortcut goes around both.",
    {
        FIRST: "y = x",
        ATTENDS: "x = self.norm1(x + self.dropout(self.self_attention(y, y, y, trg_mask)))",
        SECOND: "y = x",
        ADDS: "x = self.norm2(x + self.dropout(asked))",
        WIDENS: "return self.norm3(x + self.dropout(self.feed_forward(x)))",
    },
)
NORM_BEFORE_ADD = Mistake(
    "What each sublayer brings is normalised, instead of what it reads. The norm belongs in "
    "front of the sublayer.",
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
    "The shortcuts carry the normalised x, so the size of what came in is lost at every "
    "sublayer. The x that is added has to be the one before the norm.",
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
    "The first shortcut carries the normalised x, so the size of what came in is lost. The x "
    "that is added has to be the one before the norm.",
    {FIRST: "x = y = self.norm1(x)"},
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
SECOND_SHORTCUT_IS_NORMED = Mistake(
    "The second shortcut carries the normalised x, so the size of the first sum is lost. The x "
    "that is added has to be the one before the norm.",
    {SECOND: "x = y = self.norm2(x)"},
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
THIRD_SHORTCUT_IS_NORMED = Mistake(
    "The third shortcut carries the normalised x, so the size of the second sum is lost. The x "
    "that is added has to be the one before the norm.",
    {
        WIDENS: """\
x = self.norm3(x)
        return x + self.dropout(self.feed_forward(x))"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
SOURCE_NORMED = Mistake(
    "The source goes through norm2 as well. Its own stack has closed it with a norm already, and "
    "a second scale and shift change what it says.",
    {
        ASKS: """\
source = self.norm2(encoder_output)
        asked = self.cross_attention(y, source, source, src_mask)"""
    },
)
SOURCE_HAS_A_NORM = Mistake(
    "The source goes through a norm of its own in every layer. Its stack has closed it with one "
    "already, and nothing more is to be learned here.",
    {
        NORM3: NORM3 + "        self.source_norm = LayerNorm(dim_vector)\n",
        ASKS: """\
source = self.source_norm(encoder_output)
        asked = self.cross_attention(y, source, source, src_mask)""",
    },
)
ONLY_SOURCE_NORMED = Mistake(
    "norm2 stands in front of the source instead of the target that asks. The queries can then "
    "have any size, and the source is normalised twice.",
    {
        SECOND: "y = x",
        ASKS: """\
source = self.norm2(encoder_output)
        asked = self.cross_attention(y, source, source, src_mask)""",
    },
)
ONE_NORM_FOR_ALL = Mistake(
    "All three sublayers read through norm1, and the other two norms are never used. Each "
    "sublayer needs a scale and shift of its own.",
    {"self.norm2(x)": "self.norm1(x)", "self.norm3(x)": "self.norm1(x)"},
)
SECOND_NORM_TWICE = Mistake(
    "The feed-forward network reads through norm2, and norm3 is never used. Two sublayers then "
    "share one scale and shift.",
    {"self.norm3(x)": "self.norm2(x)"},
)
FIRST_NORM_TWICE = Mistake(
    "The target asks the source through norm1, and norm2 is never used. Two sublayers then share "
    "one scale and shift.",
    {"self.norm2(x)": "self.norm1(x)"},
)
NORMS_ARE_ONE_LAYER = Mistake(
    "The three norms are one and the same layer under three names. Their scale and shift can "
    "never differ, although each sublayer needs its own.",
    {
        "self.norm2 = LayerNorm(dim_vector)": "self.norm2 = self.norm1",
        "self.norm3 = LayerNorm(dim_vector)": "self.norm3 = self.norm1",
    },
)
NORM_NOT_MADE_ANEW = Mistake(
    "The source is asked with the norm of the layer's input, so each word asks without what it "
    "has just learnt of the words before it, and norm2 is never used.",
    {SECOND: "pass"},
)
FEED_FORWARD_READS_AN_OLD_NORM = Mistake(
    "The feed-forward network reads the norm that asked the source, so it never works on the "
    "answer, and norm3 is never used.",
    {"self.feed_forward(self.norm3(x))": "self.feed_forward(y)"},
)
NO_FIRST_NORM = Mistake(
    "The self-attention reads x as it is. In pre-norm nothing else normalises x, so the numbers "
    "that it reads can have any size.",
    {FIRST: "y = x"},
)
NO_SECOND_NORM = Mistake(
    "The source is asked with x as it is. In pre-norm nothing else normalises x, so the queries "
    "can have any size.",
    {SECOND: "y = x"},
)
NO_THIRD_NORM = Mistake(
    "The feed-forward network reads x as it is. In pre-norm nothing else normalises x, so the "
    "numbers that it reads can have any size.",
    {"self.feed_forward(self.norm3(x))": "self.feed_forward(x)"},
)
ONLY_QUERIES_ARE_NORMED = Mistake(
    "Only the queries of the self-attention are normalised; keys and values come from x as it "
    "is. There all three are made from the same vectors.",
    {"(y, y, y, trg_mask)": "(y, x, x, trg_mask)"},
)
LAYER_ENDS_IN_A_NORM = Mistake(
    "Every layer ends in a norm of its own. In pre-norm there is one closing norm, after the "
    "last layer; in between the sums go on as they are.",
    {
        NORM3: NORM3 + "        self.norm4 = LayerNorm(dim_vector)\n",
        WIDENS: "return self.norm4(x + self.dropout(self.feed_forward(self.norm3(x))))",
    },
    seen="lucidrains/reformer-pytorch#124",
)
NO_CLOSING_NORM = Mistake(
    "The closing norm is made but not used, so the scores are taken from a sum of everything, "
    "which can have any size.",
    {SCORES: "return self.linear(x)"},
    seen="lucidrains/reformer-pytorch#124",
)
CLOSING_NORM_NOT_MADE = Mistake(
    "The stack has no closing norm, so the scores are taken from a sum of everything, which can "
    "have any size.",
    {"        self.norm = LayerNorm(dim_vector)\n": "", SCORES: "return self.linear(x)"},
)
CLOSING_NORM_IN_THE_LOOP = Mistake(
    "The closing norm acts after every layer, so no shortcut leads through the stack any more. "
    "It belongs behind the last layer.",
    {
        "x = layer(x, encoder_output, trg_mask, src_mask)": """\
x = self.norm(layer(x, encoder_output, trg_mask, src_mask))""",
        SCORES: "return self.linear(x)",
    },
)
CLOSING_NORM_FIRST = Mistake(
    "The norm of the stack stands in front of the first layer instead of behind the last, so "
    "the scores are taken from numbers of any size.",
    {
        "x = self.embedding(trg)": "x = self.norm(self.embedding(trg))",
        SCORES: "return self.linear(x)",
    },
)
SCORES_ARE_NORMED = Mistake(
    "The norm stands behind the scores instead of in front of them. Scores must be free to be "
    "as large as the model is sure.",
    {
        "self.norm = LayerNorm(dim_vector)": "self.norm = LayerNorm(vocab_size)",
        SCORES: "return self.norm(self.linear(x))",
    },
)
CLOSED_BY_THE_LAST_LAYERS_NORM = Mistake(
    "The stack is closed by a norm of its last layer, which then serves two places; the closing "
    "norm never learns.",
    {SCORES: "return self.linear(self.layers[-1].norm3(x))"},
)
SOURCE_CLOSED_HERE = Mistake(
    "The closing norm is applied to the source, too, as if the encoder had not done so. Its stack "
    "has a closing norm of its own.",
    {
        LOOP: """\
source = self.norm(encoder_output)
        for layer in self.layers:
            x = layer(x, source, trg_mask, src_mask)"""
    },
)

# Who reads whom

CROSS_READS_THE_TARGET = Mistake(
    "The second attention takes its keys and values from the target and never looks at the "
    "source. The translation then cannot depend on the source.",
    {"(y, encoder_output, encoder_output, src_mask)": "(y, y, y, trg_mask)"},
)
VALUES_FROM_TARGET = Mistake(
    "In the second attention keys and values are those of the target, not even normalised. They "
    "have to come from the source, of which the target wants to know.",
    {ASKS: "asked = self.cross_attention(y, x, x, trg_mask)"},
)
MASKS_SWAPPED = Mistake(
    "The two masks have changed places. Either the sizes do not fit, or the future is not "
    "hidden and the padding of the source is read.",
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
    "The attention on the source does not get src_mask, so the target reads the padding of the "
    "source. The result then depends on how far a sentence happens to be padded.",
    {"(y, encoder_output, encoder_output, src_mask)": "(y, encoder_output, encoder_output)"},
)
STACK_DROPS_THE_SOURCE_MASK = Mistake(
    "The stack does not hand src_mask to its layers, so the padding of the source is read as if "
    "it were words.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, encoder_output, trg_mask)"},
)
STACK_SWAPS_THE_MASKS = Mistake(
    "The stack hands its layers the two masks in the wrong order.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output, src_mask, trg_mask)"""
    },
)
NO_CROSS_SHORTCUT = Mistake(
    "There is no shortcut around the attention on the source: its result replaces the target "
    "instead of being added to it.",
    {ADDS: "x = self.dropout(asked)"},
)
NO_LAST_SHORTCUT = Mistake(
    "There is no shortcut around the feed-forward network, so what this network does not pass "
    "on is lost.",
    {WIDENS: "return self.dropout(self.feed_forward(self.norm3(x)))"},
)
NO_CROSS_ATTENTION = Mistake(
    "What was asked of the source is never added. Nothing connects source and target, so the "
    "translation cannot depend on the source.",
    {ADDS: "pass"},
)
FEED_FORWARD_SKIPPED = Mistake(
    "The feed-forward network is made but never used, so it never learns and the layer ends "
    "after the attention on the source.",
    {WIDENS: "return x"},
)
CROSS_BEFORE_SELF = Mistake(
    "The target asks the source before it attends to itself; the order is the other way round.",
    {
        ATTENDS: """\
source = encoder_output
        x = x + self.dropout(self.cross_attention(y, source, source, src_mask))""",
        ASKS: "asked = self.self_attention(y, y, y, trg_mask)",
    },
)
ATTENTIONS_ARE_ONE_LAYER = Mistake(
    "Both attentions are one and the same layer under two names. The target then has to look "
    "at the source with the very weights it uses to look at itself.",
    {
        "self.cross_attention = MultiHeadAttention(dim_vector, n_head)": """\
self.cross_attention = self.self_attention"""
    },
)

# Dropout

NO_DROPOUT_AROUND = Mistake(
    "Nothing is dropped from what the sublayers bring. Each output is to be dropped from before "
    "it is added (paper, section 5.4).",
    {
        ATTENDS: "x = x + self.self_attention(y, y, y, trg_mask)",
        ADDS: "x = x + asked",
        WIDENS: "return x + self.feed_forward(self.norm3(x))",
    },
)
NO_DROPOUT_ON_THE_ANSWER = Mistake(
    "Nothing is dropped from what the source answers, so training has less of a guard against "
    "learning by heart.",
    {ADDS: "x = x + asked"},
)
NO_LAST_DROPOUT = Mistake(
    "Nothing is dropped from what the feed-forward network brings, so training has less of a "
    "guard against learning by heart.",
    {WIDENS: "return x + self.feed_forward(self.norm3(x))"},
)
DROPS_WHAT_IS_READ = Mistake(
    "Dropout falls on what the sublayers read, behind the norm. It belongs on what they bring, "
    "before it is added.",
    {
        FIRST: "y = self.dropout(self.norm1(x))",
        ATTENDS: "x = x + self.self_attention(y, y, y, trg_mask)",
        SECOND: "y = self.dropout(self.norm2(x))",
        ADDS: "x = x + asked",
        WIDENS: "return x + self.feed_forward(self.dropout(self.norm3(x)))",
    },
)
DROPS_THE_SUM = Mistake(
    "Dropout falls on the sum of x and the answer, so it makes holes in the shortcut, too. It "
    "belongs on the answer, before it is added.",
    {ADDS: "x = self.dropout(x + asked)"},
)
SOURCE_DROPPED = Mistake(
    "Dropout is applied to encoder_output before the target reads it. The encoder has done its "
    "own dropout, and from here on the source should be read whole.",
    {
        LOOP: """\
encoder_output = self.embedding.dropout(encoder_output)
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)"""
    },
)
DROPS_WHOLE_TOKENS = Mistake(
    "All that a sublayer brings to a token is dropped at once instead of single numbers.",
    {"nn.Dropout(dropout)": "nn.Dropout1d(dropout)"},
)
KEEP_PROBABILITY = Mistake(
    "The given share is taken as the share to keep, so with the usual 0.1 nine tenths of what "
    "the sublayers bring are dropped.",
    {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given share to drop never reaches the feed-forward network, which drops its own "
    "default from its hidden numbers, whatever was asked for.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, dim_hidden)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The given share to drop never reaches the layers, which drop their own default, whatever "
    "was asked for.",
    {"n_head, dim_hidden, dropout) for": "n_head, dim_hidden) for"},
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The given share to drop never reaches the embedding, which drops its own default, "
    "whatever was asked for.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_BEFORE_THE_SCORES = Mistake(
    "Dropout is applied between the closing norm and the scores; there is none at this place. It "
    "makes the scores noisier in training than they should be.",
    {SCORES: "return self.linear(self.embedding.dropout(self.norm(x)))"},
)

# The stack

SOFTMAX_ON_LOGITS = Mistake(
    "The softmax is taken here, but the loss takes it itself. Taken twice it flattens the "
    "probabilities, and the loss gets stuck high.",
    {SCORES: "return self.linear(self.norm(x)).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
NO_SCORES = Mistake(
    "The last layer, linear, is made but not used, so vectors come back instead of scores. The "
    "next word cannot be chosen from them, and linear never learns.",
    {SCORES: "return self.norm(x)"},
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of what the layer before produced, so only the "
    "last one counts and the others never learn.",
    {
        LOOP: """\
embedded = x
        for layer in self.layers:
            x = layer(embedded, encoder_output, trg_mask, src_mask)"""
    },
)
SAME_LAYER_REPEATED = Mistake(
    "The list holds one layer many times over, not many layers: all share the same weights, so "
    "they can never learn different things.",
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
    "The shortcut around the attention on the source is cut off from the gradient. The free "
    "road for gradients is what pre-norm is about.",
    {ADDS: "x = x.detach() + self.dropout(asked)"},
)
FLOAT32_ONLY = Mistake(
    "The scores are forced to single precision, whatever the precision of the module.",
    {SCORES: "return self.linear(self.norm(x)).float()"},
)
DROPPED_BEFORE_CLOSING = Mistake(
    encoder.DROPPED_BEFORE_CLOSING.says,
    {"self.linear(self.norm(x))": "self.linear(self.norm(self.layers[0].dropout(x)))"},
)
SOURCE_DROPPED_AS_A_WHOLE = Mistake(
    "All that the source brings to a sentence is dropped or kept together (stochastic depth). "
    "Dropout is for single numbers.",
    {
        "x = x + self.dropout(asked)": "x = x + asked * self.dropout(asked.new_ones(len(asked), 1, 1))"
    },
)

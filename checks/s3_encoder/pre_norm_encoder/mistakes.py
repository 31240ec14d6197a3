"""What people get wrong in s3_encoder/pre_norm_encoder.py."""

from checks.engine.known import Mistake
from checks.s3_encoder.encoder.mistakes import MASK_FOR_FIRST_TWO as MASK_FOR_FIRST_TWO
from checks.s3_encoder.encoder.mistakes import MASK_MADE_IF_NONE_COMES as MASK_MADE_IF_NONE_COMES

NORMED = "y = self.norm1(x)"
ATTENDS = "x = x + self.dropout(self.self_attention(y, y, y, src_mask))"
WIDENS = "return x + self.dropout(self.feed_forward(self.norm2(x)))"
EMBEDS = "x = self.embedding(src)"
LOOP = """\
for layer in self.layers:
            x = layer(x, src_mask)"""
CLOSES = "return self.norm(x)"
LIST = """\
self.layers = nn.ModuleList(
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )"""
TORCH = {"from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn"}

# Where the norms stand

POST_NORM = Mistake(
    "This is post-norm, as in step 3.1: the sum is normalised. In pre-norm the norm comes before "
    "the sublayer, and the residual connection goes around both.",
    {
        NORMED: "y = x",
        ATTENDS: "x = self.norm1(x + self.dropout(self.self_attention(y, y, y, src_mask)))",
        WIDENS: "return self.norm2(x + self.dropout(self.feed_forward(x)))",
    },
)
NORM_BEFORE_ADD = Mistake(
    "You normalise a sublayer's output instead of its input. The norm belongs before the sublayer.",
    {
        NORMED: "y = x",
        ATTENDS: "x = x + self.dropout(self.norm1(self.self_attention(y, y, y, src_mask)))",
        WIDENS: "return x + self.dropout(self.norm2(self.feed_forward(x)))",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SHORTCUT_IS_NORMED = Mistake(
    "The residual connection carries the normalised x, so the size of the input is lost at every "
    "sublayer. The x that is added must be the one before the norm.",
    {
        NORMED: "x = y = self.norm1(x)",
        WIDENS: """\
x = self.norm2(x)
        return x + self.dropout(self.feed_forward(x))""",
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
FIRST_SHORTCUT_IS_NORMED = Mistake(
    "The first residual connection carries the normalised x, so the size of the input is lost. "
    "The x that is added must be the one before the norm.",
    {NORMED: "x = y = self.norm1(x)"},
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
SECOND_SHORTCUT_IS_NORMED = Mistake(
    "The second residual connection carries the normalised x, so the size of the first sum is "
    "lost. The x that is added must be the one before the norm.",
    {
        WIDENS: """\
x = self.norm2(x)
        return x + self.dropout(self.feed_forward(x))"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
ONE_NORM_FOR_BOTH = Mistake(
    "Both sublayers use norm1, so they share one gamma and beta. The other one, norm2, is never "
    "used and never learns.",
    {"self.norm2(x)))": "self.norm1(x)))"},
)
ONE_NORM_SHARED = Mistake(
    "The names norm1 and norm2 stand for the same layer. So the two sublayers cannot have a gamma "
    "and beta of their own.",
    {"self.norm2 = LayerNorm(dim_vector)": "self.norm2 = self.norm1"},
)
NORMED_ONCE = Mistake(
    "The feed-forward network reads the normalised input of the layer, the result of norm1. So it "
    "never sees the attention's result, and norm2 is not used.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(y)"},
)
SECOND_NORM_OF_THE_ENTRANCE = Mistake(
    "The feed-forward network reads a norm of the layer's input instead of a norm of the first "
    "sum. So it never sees the attention's result.",
    {
        NORMED: "entrance, y = x, self.norm1(x)",
        "self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm2(entrance))",
    },
)
NO_FIRST_NORM = Mistake(
    "The attention reads x without a norm. In pre-norm nothing else normalises x, so the values "
    "that it reads can have any size.",
    {NORMED: "y = x"},
)
NO_SECOND_NORM = Mistake(
    "The feed-forward network reads x without a norm. In pre-norm nothing else normalises x, so "
    "the values that it reads can have any size.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(x)"},
)
ONLY_QUERIES_ARE_NORMED = Mistake(
    "Only the queries are made from the normalised x; keys and values are made from x itself. In "
    "self-attention all three are made from the same vectors.",
    {"(y, y, y, src_mask)": "(y, x, x, src_mask)"},
)
VALUES_ARE_NOT_NORMED = Mistake(
    "The values are made from x itself, but queries and keys from its norm. In self-attention all "
    "three are made from the same vectors.",
    {"(y, y, y, src_mask)": "(y, y, x, src_mask)"},
)
NORMED_TWICE = Mistake(
    "You normalise x before each sublayer, and the sum once more after it. In pre-norm the sum is "
    "not normalised.",
    {WIDENS: "return self.norm2(x + self.dropout(self.feed_forward(self.norm2(x))))"},
)
LAYER_ENDS_IN_A_NORM = Mistake(
    "Every layer ends in a norm of its own. In pre-norm the sums between layers are not "
    "normalised, and one closing norm follows the last layer.",
    {
        "        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)\n": """\
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.norm3 = LayerNorm(dim_vector)
""",
        WIDENS: "return self.norm3(x + self.dropout(self.feed_forward(self.norm2(x))))",
    },
    seen="lucidrains/reformer-pytorch#124",
)
NO_CLOSING_NORM = Mistake(
    "The closing norm is made but not used. The stack's output is then a sum of all sublayer "
    "outputs and can have any size.",
    {CLOSES: "return x"},
    seen="lucidrains/reformer-pytorch#124",
)
CLOSING_NORM_NOT_MADE = Mistake(
    "The stack has no closing norm. Its output is then a sum of all sublayer outputs and can have "
    "any size.",
    {"        self.norm = LayerNorm(dim_vector)\n": "", CLOSES: "return x"},
)
CLOSING_NORM_IN_THE_LOOP = Mistake(
    "The closing norm is applied after every layer, so no residual connection goes through the "
    "whole stack. It belongs only after the last layer.",
    {"x = layer(x, src_mask)": "x = self.norm(layer(x, src_mask))", CLOSES: "return x"},
)
CLOSING_NORM_FIRST = Mistake(
    "The closing norm is applied before the first layer instead of after the last. So the output "
    "can have any size.",
    {EMBEDS: "x = self.norm(self.embedding(src))", CLOSES: "return x"},
)
EMBEDDING_NORMED_TOO = Mistake(
    "The embedding is normalised before the first layer, so the sizes of its vectors are lost. "
    "The stack has one norm, at its end.",
    {EMBEDS: "x = self.norm(self.embedding(src))"},
)
CLOSING_NORM_WITHOUT_PARAMETERS = Mistake(
    "The closing norm has no gamma and beta. So the stack cannot learn how large its output "
    "should be.",
    {
        "        self.norm = LayerNorm(dim_vector)\n": "",
        CLOSES: "return nn.functional.layer_norm(x, x.shape[-1:])",
    },
)
CLOSED_BY_THE_LAST_LAYERS_NORM = Mistake(
    "A norm of the last layer is used again as the closing norm, so it works in two places. The "
    "stack's own closing norm never learns.",
    {CLOSES: "return self.layers[-1].norm2(x)"},
)
SCALED_BEFORE_THE_SUM = Mistake(
    "The feed-forward network's output is halved before it is added, so it counts too little in "
    "the sum.",
    {
        "self.dropout(self.feed_forward(self.norm2(x)))": """\
0.5 * self.dropout(self.feed_forward(self.norm2(x)))"""
    },
)

# The shortcuts and the sublayers

NO_FIRST_SHORTCUT = Mistake(
    "There is no residual connection around the attention, so a word's own content is lost there.",
    {ATTENDS: "x = self.dropout(self.self_attention(y, y, y, src_mask))"},
)
NO_SECOND_SHORTCUT = Mistake(
    "There is no residual connection around the feed-forward network. Its input is lost unless "
    "the network passes it on.",
    {WIDENS: "return self.dropout(self.feed_forward(self.norm2(x)))"},
)
DOUBLE_SHORTCUT = Mistake(
    "The input x is added twice around the attention, so the attention's output counts too little.",
    {ATTENDS: "x = x + x + self.dropout(self.self_attention(y, y, y, src_mask))"},
)
STALE_SHORTCUT = Mistake(
    "The second residual connection starts at the layer's input. The attention's result then "
    "reaches the output only through the feed-forward network.",
    {
        NORMED: "entrance, y = x, self.norm1(x)",
        WIDENS: "return entrance + self.dropout(self.feed_forward(self.norm2(x)))",
    },
)
SUBLAYERS_SIDE_BY_SIDE = Mistake(
    "Both sublayers read the layer's input, and their outputs are added together. So the "
    "feed-forward network works without the attention's result.",
    {
        ATTENDS: "attended = self.dropout(self.self_attention(y, y, y, src_mask))",
        WIDENS: "return x + attended + self.dropout(self.feed_forward(self.norm2(x)))",
    },
    seen="lucidrains/feedback-transformer-pytorch#2",
)
ORDER_SWAPPED = Mistake(
    "The feed-forward network comes before the attention, so it works on each word before the "
    "word has seen the others.",
    {
        NORMED: "x = x + self.dropout(self.feed_forward(self.norm2(x)))",
        ATTENDS: "y = self.norm1(x)",
        WIDENS: "return x + self.dropout(self.self_attention(y, y, y, src_mask))",
    },
)
FEED_FORWARD_SKIPPED = Mistake(
    "Nothing uses what the feed-forward network gives. It never learns, and the layer ends after "
    "the attention.",
    {WIDENS: "return x"},
)
ATTENTION_SKIPPED = Mistake(
    "Nothing uses what the attention gives. The words do not see each other, and the attention "
    "never learns.",
    {ATTENDS: "pass"},
)
MASK_IGNORED = Mistake(
    "The mask is accepted but not passed to the attention. So padding is read like words and "
    "changes the result.",
    {"(y, y, y, src_mask)": "(y, y, y)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted. Masked words are read, and all others are not.",
    {"(y, y, y, src_mask)": "(y, y, y, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The whole source is known, so each of its words "
    "may attend in both directions.",
    {
        **TORCH,
        NORMED: """\
causal = torch.ones(x.size(1), x.size(1), device=x.device).tril()
        src_mask = causal if src_mask is None else src_mask * causal
        y = self.norm1(x)""",
    },
)
MASK_NOT_FOR_ALL = Mistake(
    "The mask does not reach every layer of the stack. In the other layers padding is read like "
    "words and changes the result.",
    {
        LOOP: """\
for n, layer in enumerate(self.layers):
            x = layer(x, src_mask if n == 0 else None)"""
    },
)
STACK_WITHOUT_MASK = Mistake(
    "The stack accepts the mask but passes it to no layer. So padding is read like words "
    "everywhere and changes the result.",
    {"x = layer(x, src_mask)": "x = layer(x)"},
)

# Dropout

NO_FIRST_DROPOUT = Mistake(
    "No dropout is applied to the attention's output, so the model overfits more easily.",
    {ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)"},
)
NO_SECOND_DROPOUT = Mistake(
    "No dropout is applied to the feed-forward network's output, so the model overfits more "
    "easily.",
    {WIDENS: "return x + self.feed_forward(self.norm2(x))"},
)
NO_DROPOUT_AROUND = Mistake(
    "No dropout is applied to the sublayers' outputs. Each output needs dropout before it is "
    "added (paper, section 5.4).",
    {
        ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)",
        WIDENS: "return x + self.feed_forward(self.norm2(x))",
    },
)
DROPS_WHAT_IS_READ = Mistake(
    "Dropout is applied to what the sublayers read, after the norm. It belongs on the sublayers' "
    "outputs, before they are added.",
    {
        NORMED: "y = self.dropout(self.norm1(x))",
        ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)",
        WIDENS: "return x + self.feed_forward(self.dropout(self.norm2(x)))",
    },
)
DROPS_THE_SUM = Mistake(
    "Dropout is applied to the sum, so it also acts on the residual connection. It belongs on the "
    "sublayer's output, before the addition.",
    {
        ATTENDS: "x = self.dropout(x + self.self_attention(y, y, y, src_mask))",
        WIDENS: "return self.dropout(x + self.feed_forward(self.norm2(x)))",
    },
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given dropout is not passed to the feed-forward network. The network uses its own "
    "default on its hidden features.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, dim_hidden)"},
)
DROPOUT_FIXED_IN_LAYER = Mistake(
    "The dropout probability for the sublayers' outputs is a fixed number in the code. The given "
    "dropout has no effect there.",
    {"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry. With the usual 0.1, nine "
    "tenths of the sublayers' outputs are dropped.",
    {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
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
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of the layer's dropout is 0 instead of 0.1. If the caller gives no dropout, "
    "nothing is dropped.",
    {"dim_hidden: int, dropout: float = 0.1": "dim_hidden: int, dropout: float = 0.0"},
)
DEFAULT_DROPOUT_OF_STACK_ZERO = Mistake(
    "The default of the stack's dropout is 0 instead of 0.1. If the caller gives no dropout, "
    "nothing is dropped.",
    {"        dropout: float = 0.1,": "        dropout: float = 0.0,"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The given dropout is not passed to the layers, so they use their own default.",
    {"n_head, dim_hidden, dropout) for": "n_head, dim_hidden) for"},
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The given dropout is not passed to the embedding, so the embedding uses its own default.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied once more to the result of the stack. In training it sets entries of the "
    "finished vectors to 0.",
    {CLOSES: "return self.embedding.dropout(self.norm(x))"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout stays on in eval mode, so the trained model gives another answer at every call.",
    {WIDENS: "return x + nn.functional.dropout(self.feed_forward(self.norm2(x)), self.dropout.p)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)

# The stack

SAME_LAYER_REPEATED = Mistake(
    "The list holds the same layer many times instead of many layers. All of them have the same "
    "weights, so they can never learn different things.",
    {
        LIST: """\
layer = PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList([layer] * num_layer)"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
PYTHON_LIST = Mistake(
    "The layers are in a plain list, tuple or dictionary, where PyTorch does not look for layers. "
    "So they are not trained, not saved, and not moved with the module.",
    {
        LIST: """\
self.layers = [
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        ]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of the output of the layer before it. Only the last "
    "layer counts, and the others never learn.",
    {
        LOOP: """\
embedded = x
        for layer in self.layers:
            x = layer(embedded, src_mask)"""
    },
)
LAST_LAYER_SKIPPED = Mistake(
    "The last layer never runs, so it never learns and the stack ends one layer too early.",
    {"in self.layers:": "in self.layers[:-1]:"},
)
RETURNS_IN_THE_LOOP = Mistake(
    "The function returns inside the loop. Only the first layer runs, and all later layers never "
    "learn.",
    {
        LOOP: """\
for layer in self.layers:
            x = layer(x, src_mask)
            return self.norm(x)"""
    },
)
LAYERS_OF_STEP_3_1 = Mistake(
    "The stack is made of the post-norm layers of step 3.1. Its closing norm then normalises "
    "values that are already normalised.",
    {
        "from s2_attention.feed_forward import": """\
from s3_encoder.encoder_layer import EncoderLayer
from s2_attention.feed_forward import""",
        "            PreNormEncoderLayer(dim_vector": "            EncoderLayer(dim_vector",
    },
)
HEADS_IGNORED = Mistake(
    "The attention is always built with one head, and n_head is ignored. So a word can attend to "
    "the others in one way only.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, 1)"},
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The given dim_hidden is ignored: the feed-forward network is always four times as wide as "
    "the vectors. The paper has that ratio, but the caller may want another.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, 4 * dim_vector, dropout)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "The embedding is built for another length than max_len. So the limit for long sentences is "
    "wrong.",
    {"dim_vector, max_len, dropout, padding_idx)": "dim_vector, 512, dropout, padding_idx)"},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is treated as padding although no padding_idx was given. If token 0 is a word, its "
    "vector stays zero and never learns.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)

# Gradients and manners

SHORTCUT_DETACHED = Mistake(
    "The residual connection around the attention is cut off from the gradient, so earlier layers "
    "learn only through the attention. Pre-norm needs this direct path for gradients.",
    {ATTENDS: "x = x.detach() + self.dropout(self.self_attention(y, y, y, src_mask))"},
)
NORM_DETACHED = Mistake(
    "The attention's input is cut off from the gradient, so norm1 never learns.",
    {NORMED: "y = self.norm1(x).detach()"},
)
ADDED_IN_PLACE = Mistake(
    "The attention's output is added into the caller's input itself. Later code that uses that "
    "tensor reads changed values.",
    {ATTENDS: "x.data += self.dropout(self.self_attention(y, y, y, src_mask)).data"},
    seen="jcyk/copyisallyouneed#6, microsoft/unilm#999",
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {CLOSES: "return self.norm(x).float()"},
)
MIDDLE_LAYERS_SKIPPED = Mistake(
    "Layers between the first two and the last are skipped. They are made but never used.",
    {
        LOOP: """\
for n, layer in enumerate(self.layers):
            if 2 <= n < len(self.layers) - 1:
                continue
            x = layer(x, src_mask)"""
    },
)
DROPPED_BEFORE_CLOSING = Mistake(
    "Dropout is applied once more between the last layer and the closing norm. Each layer has "
    "already dropped what it adds, and x itself must not be dropped.",
    {"return self.norm(x)": "return self.norm(self.layers[0].dropout(x))"},
)
AT_MOST_512_TOKENS = Mistake(
    "The tokens attend only to the first 512 tokens of the sentence. In a longer sentence the "
    "other tokens are never read.",
    {
        "self.self_attention(y, y, y, src_mask)": """\
self.self_attention(
            y, y[:, :512], y[:, :512], src_mask if src_mask is None else src_mask[..., :512]
        )"""
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
    {"self.embedding(src)": "self.embedding(src % 256)"},
)
ATTENTION_DROPPED_AS_A_WHOLE = Mistake(
    "The attention's output for a sentence is dropped or kept as a whole (stochastic depth). "
    "Dropout should drop only single entries.",
    {
        "x = x + self.dropout(self.self_attention(y, y, y, src_mask))": """\
kept = self.dropout(y.new_ones(len(y), 1, 1))
        x = x + kept * self.self_attention(y, y, y, src_mask)"""
    },
)
NORMS_EXCHANGED = Mistake(
    "norm1 and norm2 are swapped. Each has weights of its own, so the "
    "self-attention must read norm1 and the feed-forward network norm2.",
    {
        "y = self.norm1(x)": "y = self.norm2(x)",
        "feed_forward(self.norm2(x))": "feed_forward(self.norm1(x))",
    },
)
CLOSING_NORM_OF_ANOTHER_EPS = Mistake(
    "The closing norm gets an eps of its own. All norms of this course have the eps of step 2.3, "
    "which is 1e-5.",
    {"self.norm = LayerNorm(dim_vector)": "self.norm = LayerNorm(dim_vector, eps=1e-6)"},
)
QUERIES_DROPPED = Mistake(
    "Dropout is applied to the queries. It belongs on the output of each sublayer, not on what a "
    "sublayer reads.",
    {
        "self.self_attention(y, y, y, src_mask)": "self.self_attention(self.dropout(y), y, y, src_mask)"
    },
)
DROPPED_BEFORE_THE_NORM = Mistake(
    "Dropout is applied to x before the second norm. It belongs on the output of each sublayer, not "
    "on what a sublayer reads.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm2(self.dropout(x)))"},
)

NETWORK_READS_THE_FIRST_NORM = Mistake(
    "The second norm reads what the first norm gave, so the network does not see what attention has added.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm2(y))"},
)

NORM_BEFORE_AND_AFTER = Mistake(
    "The output of a sublayer is normalised, too. Pre-norm has a norm before each sublayer only.",
    {
        "self.dropout(self.self_attention(y, y, y, src_mask))": "self.dropout(self.norm1(self.self_attention(y, y, y, src_mask)))"
    },
)

CLOSING_NORM_WITH_A_SHORTCUT = Mistake(
    "The closing norm has a residual connection around it. Only the sublayers have one.",
    {"return self.norm(x)": "return x + self.norm(x)"},
)

CLOSING_NORM_IN_EVAL_ONLY = Mistake(
    "The closing norm is left out in train mode. It acts in both modes.",
    {"return self.norm(x)": "return x if self.training else self.norm(x)"},
)

DROPOUT_FOR_EPS = Mistake(
    "The norm gets the dropout as its eps. LayerNorm takes dim_vector, and eps if it is not 1e-5.",
    {"self.norm1 = LayerNorm(dim_vector)": "self.norm1 = LayerNorm(dim_vector, dropout)"},
)
CLOSING_NORM_IN_THE_LOOP_AND_AFTER = Mistake(
    CLOSING_NORM_IN_THE_LOOP.says,
    {"x = layer(x, src_mask)": "x = self.norm(layer(x, src_mask))"},
)
CLOSING_NORM_FOR_SEVERAL_LAYERS = Mistake(
    "With one layer the closing norm is left out. It follows the last layer, even if that is the "
    "first.",
    {CLOSES: "return self.norm(x) if len(self.layers) > 1 else x"},
)
CLOSING_NORM_IN_TRAINING_ONLY = Mistake(
    "The closing norm is left out in eval mode. It acts in both modes.",
    {CLOSES: "return self.norm(x) if self.training else x"},
)
NETWORK_READS_DROPPED = Mistake(
    "Dropout acts on what the feed-forward network reads. It belongs on its output, before it is "
    "added.",
    {WIDENS: "return x + self.feed_forward(self.dropout(self.norm2(x)))"},
)
ATTENTION_READS_DROPPED = Mistake(
    "Dropout acts on what the attention reads. It belongs on its output, before it is added.",
    {
        NORMED: "y = self.dropout(self.norm1(x))",
        ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)",
    },
)
MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. Padding is there in eval mode, too.",
    {"x = layer(x, src_mask)": "x = layer(x, src_mask if self.training else None)"},
)

"""What people get wrong in s3_encoder/pre_norm_encoder.py."""

from checks.machine.known import Mistake
from checks.s3_encoder.encoder_mistakes import MASK_FOR_FIRST_TWO as MASK_FOR_FIRST_TWO
from checks.s3_encoder.encoder_mistakes import MASK_MADE_IF_NONE_COMES as MASK_MADE_IF_NONE_COMES

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
    "This is post-norm, as in step 3.1: the sum is normalised. In pre-norm the norm stands in "
    "front of the sublayer and the shortcut goes around both.",
    {
        NORMED: "y = x",
        ATTENDS: "x = self.norm1(x + self.dropout(self.self_attention(y, y, y, src_mask)))",
        WIDENS: "return self.norm2(x + self.dropout(self.feed_forward(x)))",
    },
)
NORM_BEFORE_ADD = Mistake(
    "What a sublayer brings is normalised, instead of what it reads. The norm belongs in front "
    "of the sublayer.",
    {
        NORMED: "y = x",
        ATTENDS: "x = x + self.dropout(self.norm1(self.self_attention(y, y, y, src_mask)))",
        WIDENS: "return x + self.dropout(self.norm2(self.feed_forward(x)))",
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SHORTCUT_IS_NORMED = Mistake(
    "The shortcut carries the normalised x, so the size of what came in is lost at every "
    "sublayer. The x that is added has to be the one before the norm.",
    {
        NORMED: "x = y = self.norm1(x)",
        WIDENS: """\
x = self.norm2(x)
        return x + self.dropout(self.feed_forward(x))""",
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
FIRST_SHORTCUT_IS_NORMED = Mistake(
    "The first shortcut carries the normalised x, so the size of what came in is lost. The x "
    "that is added has to be the one before the norm.",
    {NORMED: "x = y = self.norm1(x)"},
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
SECOND_SHORTCUT_IS_NORMED = Mistake(
    "The second shortcut carries the normalised x, so the size of the first sum is lost. The x "
    "that is added has to be the one before the norm.",
    {
        WIDENS: """\
x = self.norm2(x)
        return x + self.dropout(self.feed_forward(x))"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
ONE_NORM_FOR_BOTH = Mistake(
    "Both sublayers read through norm1, so they share one gamma and beta, and norm2 is never "
    "used and never learns.",
    {"self.norm2(x)))": "self.norm1(x)))"},
)
ONE_NORM_SHARED = Mistake(
    "The names norm1 and norm2 stand for one and the same layer, so the two sublayers cannot "
    "have a gamma and beta of their own.",
    {"self.norm2 = LayerNorm(dim_vector)": "self.norm2 = self.norm1"},
)
NORMED_ONCE = Mistake(
    "The feed-forward network reads what norm1 made of the layer's input, so it never sees what "
    "the attention found, and norm2 is not used.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(y)"},
)
SECOND_NORM_OF_THE_ENTRANCE = Mistake(
    "The feed-forward network reads a norm of the layer's input instead of the first sum, so "
    "it never sees what the attention found.",
    {
        NORMED: "entrance, y = x, self.norm1(x)",
        "self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm2(entrance))",
    },
)
NO_FIRST_NORM = Mistake(
    "The attention reads x as it is. In pre-norm nothing else normalises x, so the numbers that "
    "it reads can have any size.",
    {NORMED: "y = x"},
)
NO_SECOND_NORM = Mistake(
    "The feed-forward network reads x as it is. In pre-norm nothing else normalises x, so the "
    "numbers that it reads can have any size.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(x)"},
)
ONLY_QUERIES_ARE_NORMED = Mistake(
    "Only the queries are normalised; keys and values come from x as it is. In self-attention "
    "all three are made from the same vectors.",
    {"(y, y, y, src_mask)": "(y, x, x, src_mask)"},
)
VALUES_ARE_NOT_NORMED = Mistake(
    "The values come from x as it is, queries and keys from its norm. In self-attention all "
    "three are made from the same vectors.",
    {"(y, y, y, src_mask)": "(y, y, x, src_mask)"},
)
NORMED_TWICE = Mistake(
    "x is normalised before each sublayer and the sum once more after it. In pre-norm the "
    "shortcut is left alone.",
    {WIDENS: "return self.norm2(x + self.dropout(self.feed_forward(self.norm2(x))))"},
)
LAYER_ENDS_IN_A_NORM = Mistake(
    "Every layer ends in a norm of its own. In pre-norm there is one closing norm, after the "
    "last layer; in between the sums go on as they are.",
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
    "The closing norm is made but not used, so what the stack hands on is a sum of everything "
    "and can have any size.",
    {CLOSES: "return x"},
    seen="lucidrains/reformer-pytorch#124",
)
CLOSING_NORM_NOT_MADE = Mistake(
    "The stack has no closing norm, so what it hands on is a sum of everything and can have any "
    "size.",
    {"        self.norm = LayerNorm(dim_vector)\n": "", CLOSES: "return x"},
)
CLOSING_NORM_IN_THE_LOOP = Mistake(
    "The closing norm acts after every layer, so no shortcut leads through the stack any more. "
    "It belongs behind the last layer.",
    {"x = layer(x, src_mask)": "x = self.norm(layer(x, src_mask))", CLOSES: "return x"},
)
CLOSING_NORM_FIRST = Mistake(
    "The norm of the stack stands in front of the first layer instead of behind the last, so "
    "what comes out can have any size.",
    {EMBEDS: "x = self.norm(self.embedding(src))", CLOSES: "return x"},
)
EMBEDDING_NORMED_TOO = Mistake(
    "The embedding is normalised before the first layer, so the sizes of its vectors are lost. "
    "The stack has one norm, at its end.",
    {EMBEDS: "x = self.norm(self.embedding(src))"},
)
CLOSING_NORM_WITHOUT_PARAMETERS = Mistake(
    "The stack is closed by a norm that has no gamma and beta, so it cannot learn how large its "
    "output should be.",
    {
        "        self.norm = LayerNorm(dim_vector)\n": "",
        CLOSES: "return nn.functional.layer_norm(x, x.shape[-1:])",
    },
)
CLOSED_BY_THE_LAST_LAYERS_NORM = Mistake(
    "The stack is closed by a norm of its last layer, which then serves two places; the closing "
    "norm never learns.",
    {CLOSES: "return self.layers[-1].norm2(x)"},
)
SCALED_BEFORE_THE_SUM = Mistake(
    "What the feed-forward network brings is halved before it is added, so it has too little "
    "weight in the sum.",
    {
        "self.dropout(self.feed_forward(self.norm2(x)))": """\
0.5 * self.dropout(self.feed_forward(self.norm2(x)))"""
    },
)

# The shortcuts and the sublayers

NO_FIRST_SHORTCUT = Mistake(
    "There is no shortcut around the attention, so what a word itself carried is lost there.",
    {ATTENDS: "x = self.dropout(self.self_attention(y, y, y, src_mask))"},
)
NO_SECOND_SHORTCUT = Mistake(
    "There is no shortcut around the feed-forward network, so what this network does not pass "
    "on is lost.",
    {WIDENS: "return self.dropout(self.feed_forward(self.norm2(x)))"},
)
DOUBLE_SHORTCUT = Mistake(
    "x is added twice around the attention, so what the attention found has too little weight.",
    {ATTENDS: "x = x + x + self.dropout(self.self_attention(y, y, y, src_mask))"},
)
STALE_SHORTCUT = Mistake(
    "The second shortcut starts at the layer's entrance, so what the attention found reaches "
    "the output only through the feed-forward network.",
    {
        NORMED: "entrance, y = x, self.norm1(x)",
        WIDENS: "return entrance + self.dropout(self.feed_forward(self.norm2(x)))",
    },
)
SUBLAYERS_SIDE_BY_SIDE = Mistake(
    "Both sublayers read the layer's input and their outputs are added together, so the "
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
    "The feed-forward network is made but never used, so it never learns and the layer ends "
    "after the attention.",
    {WIDENS: "return x"},
)
ATTENTION_SKIPPED = Mistake(
    "The attention is made but never used, so the words do not see each other, and it never "
    "learns.",
    {ATTENDS: "pass"},
)
MASK_IGNORED = Mistake(
    "The mask is accepted but never handed to the attention, so padding is read like words and "
    "changes the result.",
    {"(y, y, y, src_mask)": "(y, y, y)"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
MASK_INVERTED = Mistake(
    "The mask is inverted: exactly the words that should be hidden are read, and those that "
    "should be read are hidden.",
    {"(y, y, y, src_mask)": "(y, y, y, None if src_mask is None else src_mask == 0)"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
ALWAYS_CAUSAL = Mistake(
    "Later words are hidden from earlier ones. The source is known as a whole, so each of its "
    "words may look in both directions.",
    {
        **TORCH,
        NORMED: """\
causal = torch.ones(x.size(1), x.size(1), device=x.device).tril()
        src_mask = causal if src_mask is None else src_mask * causal
        y = self.norm1(x)""",
    },
)
MASK_NOT_FOR_ALL = Mistake(
    "The mask does not reach every layer of the stack. In the others padding is read like "
    "words and changes the result.",
    {
        LOOP: """\
for n, layer in enumerate(self.layers):
            x = layer(x, src_mask if n == 0 else None)"""
    },
)
STACK_WITHOUT_MASK = Mistake(
    "The stack accepts the mask but hands it to no layer, so padding is read like words "
    "everywhere and changes the result.",
    {"x = layer(x, src_mask)": "x = layer(x)"},
)

# Dropout

NO_FIRST_DROPOUT = Mistake(
    "Nothing is dropped from what the attention brings, so training has less of a guard against "
    "learning by heart.",
    {ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)"},
)
NO_SECOND_DROPOUT = Mistake(
    "Nothing is dropped from what the feed-forward network brings, so training has less of a "
    "guard against learning by heart.",
    {WIDENS: "return x + self.feed_forward(self.norm2(x))"},
)
NO_DROPOUT_AROUND = Mistake(
    "Nothing is dropped from what the sublayers bring. Each output is to be dropped from before "
    "it is added (paper, section 5.4).",
    {
        ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)",
        WIDENS: "return x + self.feed_forward(self.norm2(x))",
    },
)
DROPS_WHAT_IS_READ = Mistake(
    "Dropout falls on what the sublayers read, behind the norm. It belongs on what they bring, "
    "before it is added.",
    {
        NORMED: "y = self.dropout(self.norm1(x))",
        ATTENDS: "x = x + self.self_attention(y, y, y, src_mask)",
        WIDENS: "return x + self.feed_forward(self.dropout(self.norm2(x)))",
    },
)
DROPS_THE_SUM = Mistake(
    "Dropout falls on the sum, so it makes holes in the shortcut, too. It belongs on what the "
    "sublayer brings, before it is added.",
    {
        ATTENDS: "x = self.dropout(x + self.self_attention(y, y, y, src_mask))",
        WIDENS: "return self.dropout(x + self.feed_forward(self.norm2(x)))",
    },
)
DROPOUT_NOT_TO_FEED_FORWARD = Mistake(
    "The given share to drop never reaches the feed-forward network, which drops its own "
    "default from its hidden numbers, whatever was asked for.",
    {"FeedForward(dim_vector, dim_hidden, dropout)": "FeedForward(dim_vector, dim_hidden)"},
)
DROPOUT_FIXED_IN_LAYER = Mistake(
    "The share to drop from what the sublayers bring is a fixed number in the code, so the "
    "share that the caller gives has no effect there.",
    {"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
)
KEEP_PROBABILITY = Mistake(
    "The given share is taken as the share to keep, so with the usual 0.1 nine tenths of what "
    "the sublayers bring are dropped.",
    {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
)
DROPS_WHOLE_TOKENS = Mistake(
    "All that a sublayer brings to a token is dropped at once instead of single numbers.",
    {"nn.Dropout(dropout)": "nn.Dropout1d(dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of the layer's dropout is 0 instead of 0.1, so a caller who gives no share gets "
    "no dropout at all.",
    {"dim_hidden: int, dropout: float = 0.1": "dim_hidden: int, dropout: float = 0.0"},
)
DEFAULT_DROPOUT_OF_STACK_ZERO = Mistake(
    "The default of the stack's dropout is 0 instead of 0.1, so a caller who gives no share gets "
    "no dropout at all.",
    {"        dropout: float = 0.1,": "        dropout: float = 0.0,"},
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
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout acts once more on the result of the stack, so in training it makes holes in the "
    "finished vectors.",
    {CLOSES: "return self.embedding.dropout(self.norm(x))"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout stays on in evaluation, so the trained model gives another answer at every call.",
    {WIDENS: "return x + nn.functional.dropout(self.feed_forward(self.norm2(x)), self.dropout.p)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)

# The stack

SAME_LAYER_REPEATED = Mistake(
    "The list holds one layer many times over, not many layers: all share the same weights, so "
    "they can never learn different things.",
    {
        LIST: """\
layer = PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList([layer] * num_layer)"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
PYTHON_LIST = Mistake(
    "The layers sit in a plain Python list, where PyTorch does not look: they are neither "
    "trained nor saved nor moved with the module.",
    {
        LIST: """\
self.layers = [
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        ]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of what the layer before produced, so only the "
    "last one counts and the others never learn.",
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
    "The function returns inside the loop, so only the first layer runs and all later ones "
    "never learn.",
    {
        LOOP: """\
for layer in self.layers:
            x = layer(x, src_mask)
            return self.norm(x)"""
    },
)
LAYERS_OF_STEP_3_1 = Mistake(
    "The stack is made of the post-norm layers of step 3.1, and its closing norm normalises once "
    "more what is normalised already.",
    {
        "from s2_attention.feed_forward import": """\
from s3_encoder.encoder_layer import EncoderLayer
from s2_attention.feed_forward import""",
        "            PreNormEncoderLayer(dim_vector": "            EncoderLayer(dim_vector",
    },
)
HEADS_IGNORED = Mistake(
    "The attention is always built with one head and n_head is ignored, so a word can weigh "
    "the others in one way only.",
    {"MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, 1)"},
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "dim_hidden is ignored: the feed-forward network is always four times as wide as the "
    "vectors. The paper has that ratio, but the caller may ask for another.",
    {
        "FeedForward(dim_vector, dim_hidden, dropout)": """\
FeedForward(dim_vector, 4 * dim_vector, dropout)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "The embedding is built for another length than max_len, so the limit for long sentences is "
    "not the one that was asked for.",
    {"dim_vector, max_len, dropout, padding_idx)": "dim_vector, 512, dropout, padding_idx)"},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is treated as padding although no padding_idx was given. Where it is a word, its "
    "vector stays zero and never learns.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)

# Gradients and manners

SHORTCUT_DETACHED = Mistake(
    "The shortcut around the attention is cut off from the gradient, so earlier layers learn "
    "only through the attention. The free road for gradients is what pre-norm is about.",
    {ATTENDS: "x = x.detach() + self.dropout(self.self_attention(y, y, y, src_mask))"},
)
NORM_DETACHED = Mistake(
    "What the attention reads is cut off from the gradient, so norm1 never learns.",
    {NORMED: "y = self.norm1(x).detach()"},
)
ADDED_IN_PLACE = Mistake(
    "What the attention brings is added into the caller's input itself. Whoever uses that "
    "tensor later reads changed numbers.",
    {ATTENDS: "x.data += self.dropout(self.self_attention(y, y, y, src_mask)).data"},
    seen="jcyk/copyisallyouneed#6, microsoft/unilm#999",
)
FLOAT32_ONLY = Mistake(
    "The output is always turned into single precision, so a module in double or half "
    "precision passes on the wrong type.",
    {CLOSES: "return self.norm(x).float()"},
)
MIDDLE_LAYERS_SKIPPED = Mistake(
    "Layers between the first two and the last are skipped: they are made, but never read "
    "anything.",
    {
        LOOP: """\
for n, layer in enumerate(self.layers):
            if 2 <= n < len(self.layers) - 1:
                continue
            x = layer(x, src_mask)"""
    },
)
DROPPED_BEFORE_CLOSING = Mistake(
    "Between the last layer and the closing norm numbers are dropped once more. What is added to "
    "x in each layer has been dropped from already; x itself goes through as it is.",
    {"return self.norm(x)": "return self.norm(self.layers[0].dropout(x))"},
)
ATTENTION_DROPPED_AS_A_WHOLE = Mistake(
    "All that the attention brings to a sentence is dropped or kept together (stochastic depth). "
    "Dropout is for single numbers.",
    {
        "x = x + self.dropout(self.self_attention(y, y, y, src_mask))": """\
kept = self.dropout(y.new_ones(len(y), 1, 1))
        x = x + kept * self.self_attention(y, y, y, src_mask)"""
    },
)

"""What people get wrong in s1_embedding/token_embedding.py.

Not here, on purpose:
- PyTorch's start values times the square root of dim_vector: start values are open, and the
  factor itself is here (TIMES_ROOT);
- a last layer tied to the table before its weights are drawn: tying is a mistake of 4.2
  (TIED_OUTPUT).
"""

from checks.engine.known import Mistake

LOWER_CASE_LAYER = Mistake(
    "The layer's name is written in lower case. PyTorch has no layer of that name, so the "
    "table cannot be built.",
    {"nn.Embedding(": "nn.embedding("},
)
PADDING_FIXED_1 = Mistake(
    "Token 1 is always treated as padding, and padding_idx is ignored. So a real word can stay "
    "zero for ever, while the true padding token learns.",
    {"padding_idx=padding_idx)": "padding_idx=1)"},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always treated as padding, even when padding_idx is another token or None. So "
    "a real word stays zero for ever and never learns.",
    {"padding_idx=padding_idx)": "padding_idx=0)"},
)
PADDING_DROPPED = Mistake(
    "The padding_idx is accepted but never reaches the table. So the row of the padding token "
    "is not zero and learns, although padding means nothing.",
    {", padding_idx=padding_idx)": ")"},
)
PADDING_ZERO_IS_FALSY = Mistake(
    "A padding_idx of 0 is treated as no padding at all, because zero counts as false. Token 0 is "
    "the most usual padding token, and its row now learns.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx or None)"},
)
PADDING_ROW_REINITIALISED = Mistake(
    "The whole table is filled with new random numbers after the padding row was set to zero. The "
    "padding vector is then not zero, and it never learns.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        nn.init.xavier_uniform_(self.embedding.weight)"""
    },
    seen="facebookresearch/fairseq#4633, microsoft/Graphormer#41",
)
PADDING_ZERO_ONCE = Mistake(
    "The padding row is zero only at the start: it still gets a gradient, so training moves it "
    "away from zero. nn.Embedding must know padding_idx, and forward must call that layer.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector)
        if padding_idx is not None:
            self.embedding.weight.data[padding_idx] = 0.0"""
    },
)
PADDING_LAST_ROW = Mistake(
    "The last row of the table is frozen as padding instead of the row padding_idx. So a real "
    "word stays zero for ever, and the padding token learns.",
    {"padding_idx=padding_idx)": "padding_idx=None if padding_idx is None else -1)"},
)
ZERO_ID_BLANKED = Mistake(
    "Token 0 becomes a zero vector even when it is not the padding token. It is then an ordinary "
    "word that can never learn.",
    {"return self.embedding(x)": "return self.embedding(x) * (x != 0).unsqueeze(-1)"},
)
TIMES_ROOT = Mistake(
    "The vectors are multiplied by the square root of dim_vector, as in the paper. This step does "
    "not scale them, because later steps expect the rows unchanged.",
    {
        "return self.embedding(x)": """\
return self.embedding(x) * self.embedding.embedding_dim**0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
DIVIDED_BY_ROOT = Mistake(
    "The vectors are divided by the square root of dim_vector. That division belongs to attention "
    "scores; here it makes the words too weak beside the positions.",
    {
        "return self.embedding(x)": """\
return self.embedding(x) / self.embedding.embedding_dim**0.5"""
    },
    seen="Kyubyong/transformer#132, pytorch/tutorials#2849",
)
TIMES_WIDTH = Mistake(
    "The vectors are multiplied by dim_vector itself, as if the paper's factor were applied "
    "twice. The words become far too large beside the positions that are added later.",
    {
        "return self.embedding(x)": """\
return self.embedding(x) * self.embedding.embedding_dim"""
    },
    seen="SamLynnEvans/Transformer#10",
)
ARGUMENTS_SWAPPED = Mistake(
    "The table has one row for each feature and one column for each word, the wrong way round. "
    "Each vector is then as long as the vocabulary.",
    {"nn.Embedding(vocab_size, dim_vector, ": "nn.Embedding(dim_vector, vocab_size, "},
)
PADDING_BEFORE_WIDTH = Mistake(
    "dim_vector and padding_idx are swapped. The second argument of nn.Embedding is the length of "
    "a row, the third is the padding token.",
    {"vocab_size, dim_vector, padding_idx=padding_idx)": "vocab_size, padding_idx, dim_vector)"},
)
SQUARE_TABLE = Mistake(
    "The rows are as long as the vocabulary instead of dim_vector. So they do not fit the rest of "
    "the model.",
    {"nn.Embedding(vocab_size, dim_vector, ": "nn.Embedding(vocab_size, vocab_size, "},
)
ONE_ROW_SHORT = Mistake(
    "The table has one row too few, so looking up the last word of the vocabulary fails.",
    {"nn.Embedding(vocab_size, ": "nn.Embedding(vocab_size - 1, "},
)
ONE_ROW_TOO_MANY = Mistake(
    "The table has one row more than the vocabulary has words. No token reads that row, so it "
    "never learns and only takes up memory.",
    {"nn.Embedding(vocab_size, ": "nn.Embedding(vocab_size + 1, "},
)
FROZEN_TABLE = Mistake(
    "The table is frozen, so the words keep their random first vectors for ever.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        self.embedding.weight.requires_grad_(False)"""
    },
)
DETACHED = Mistake(
    "The rows are cut off from the gradient when they are read. The table never learns, and the "
    "words keep their random first vectors.",
    {"return self.embedding(x)": "return self.embedding(x).detach()"},
)
READS_RAW_DATA = Mistake(
    DETACHED.says,
    {"return self.embedding(x)": "return self.embedding.weight.data[x]"},
)
PYTHON_LIST = Mistake(
    "The table sits in a plain list, tuple or dictionary, where PyTorch does not look for layers. "
    "So it is not trained, not saved, and not moved with the module.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = [nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)]""",
        "return self.embedding(x)": "return self.embedding[0](x)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
TABLE_MADE_IN_FORWARD = Mistake(
    "A new random table is made at every call. The same word has another vector each time, and "
    "nothing can be learned.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.sizes = (vocab_size, dim_vector, padding_idx)""",
        "return self.embedding(x)": "return nn.Embedding(*self.sizes)(x)",
    },
)
MAX_NORM = Mistake(
    "Rows longer than 1 are shortened whenever they are read, even in the table itself. So a "
    "word cannot learn how long its vector should be.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx, max_norm=1.0)"},
)
GRADIENT_BY_FREQUENCY = Mistake(
    "The gradient of each word is divided by how often the word occurs in the batch. So frequent "
    "words learn more slowly than they should.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx, scale_grad_by_freq=True)"},
)
NORMALISED_ROWS = Mistake(
    "Each vector is scaled to length 1 before it is returned. The length of a row is learned as "
    "well, and here it is lost.",
    {
        "return self.embedding(x)": """\
return nn.functional.normalize(self.embedding(x), dim=-1)"""
    },
)
FEATURES_BEFORE_TOKENS = Mistake(
    "Tokens and features are swapped in the output. Later steps read the last axis as the "
    "features of one token, so they would mix up the words.",
    {"return self.embedding(x)": "return self.embedding(x).transpose(1, 2)"},
)
SUMMED_OVER_TOKENS = Mistake(
    "The vectors of a sentence are summed into a single one. Each token must keep its own vector, "
    "or later steps cannot see the single words.",
    {"return self.embedding(x)": "return self.embedding(x).sum(dim=1)"},
)
NEXT_ROW = Mistake(
    "Each token reads the row after its own, as if tokens were counted from one. With "
    "padding_idx, the zero row then belongs to a real word.",
    {
        "return self.embedding(x)": """\
return self.embedding((x + 1) % self.embedding.num_embeddings)"""
    },
)
IDS_CHANGED_IN_PLACE = Mistake(
    "The caller's token ids are overwritten. Later code that reads them, such as the masks, then "
    "works on wrong ids.",
    {"return self.embedding(x)": "return self.embedding(x.clamp_(min=1))"},
    seen="jcyk/copyisallyouneed#6",
)
ALWAYS_DROPS = Mistake(
    "Entries are dropped at random, even in eval mode. This step has no dropout: the same "
    "word must give the same vector every time.",
    {"return self.embedding(x)": "return nn.functional.dropout(self.embedding(x), 0.1)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. In a module of another dtype, the next layer then "
    "gets values of the wrong dtype.",
    {"return self.embedding(x)": "return self.embedding(x).float()"},
)
NO_SUPER_INIT = Mistake(
    "The parent class was never initialised, so PyTorch cannot register the table. Make "
    "super().__init__() the first line of __init__.",
    {"        super().__init__()\n": ""},
)
NO_RETURN = Mistake(
    "The rows are looked up but not returned, so the caller gets None.",
    {"return self.embedding(x)": "self.embedding(x)"},
)
TANH_ON_TOP = Mistake(
    "The entries are squeezed between -1 and 1, so large values become almost equal. The rows "
    "must be returned unchanged.",
    {"return self.embedding(x)": "return self.embedding(x).tanh()"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes.",
    {"return self.embedding(x)": "return self.embedding(x).squeeze()"},
)
PADDING_0_UNASKED = Mistake(
    "Row 0 is padding even when no padding_idx is given, so an ordinary word stays a zero "
    "vector and never learns.",
    {"padding_idx: int | None = None": "padding_idx: int | None = 0"},
)
IDS_LOWERED_BY_ONE = Mistake(
    "The ids are lowered by one, so each token gets the row before its own. Ids count from 0, as "
    "the rows do.",
    {
        "return self.embedding(x)": """\
return self.embedding((x - 1) % self.embedding.num_embeddings)"""
    },
)
AVERAGED_OVER_TOKENS = Mistake(
    "The vectors of a sentence are averaged into one, so its words and their order are lost. Each "
    "token must keep its own vector.",
    {"return self.embedding(x)": "return self.embedding(x).mean(dim=1)"},
)
LAYER_NORM_ADDED = Mistake(
    "The rows are normalised by a layer norm. This step returns them unchanged; norms come later, "
    "around the sublayers.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.embedding(x)": "return self.norm(self.embedding(x))",
    },
)
TABLE_IS_A_BUFFER = Mistake(
    "The table is not a parameter, so training never changes it and no word is ever learned.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
import torch

        self.register_buffer("table", torch.randn(vocab_size, dim_vector))""",
        "return self.embedding(x)": "return self.table[x]",
    },
)
LAYER_NOT_KEPT = Mistake(
    "The layer is made but not stored on the module. The call does not find it, and nothing "
    "learns.",
    {
        "self.embedding = nn.Embedding": "embedding = nn.Embedding",
        "return self.embedding(x)": "return embedding(x)",
    },
)
RETURNS_A_PAIR = Mistake(
    "The vectors are returned together with something else. The caller expects the vectors alone.",
    {"return self.embedding(x)": "return self.embedding(x), x != 0"},
)
IDS_UP_TO_PADDING_BLANKED = Mistake(
    "All tokens up to the padding id are set to zero, not only the padding token. Every word with "
    "a smaller id loses its vector.",
    {
        "return self.embedding(x)": """\
rows = self.embedding(x)
        pad = self.embedding.padding_idx
        return rows if pad is None else rows * (x > pad).unsqueeze(-1)"""
    },
)
ALL_AFTER_PADDING_BLANKED = Mistake(
    "Everything after the first padding token of a sentence is set to zero, real words too. Only "
    "padding itself is a zero vector.",
    {
        "return self.embedding(x)": """\
rows = self.embedding(x)
        pad = self.embedding.padding_idx
        if pad is None:
            return rows
        return rows * (x != pad).long().cumprod(dim=1).unsqueeze(-1)"""
    },
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are cut to 8 bits, which hold 256 numbers. A word with a larger id gets the "
    "row of another word.",
    {"return self.embedding(x)": "return self.embedding(x % 256)"},
)
AT_MOST_512_ROWS = Mistake(
    "The table never has more than 512 rows, even if vocab_size is larger. The ids of the other "
    "words do not fit.",
    {"nn.Embedding(vocab_size, dim_vector,": "nn.Embedding(min(vocab_size, 512), dim_vector,"},
)
AT_LEAST_DIM_VECTOR_ROWS = Mistake(
    "The table has at least dim_vector rows. With fewer words than features it has rows that no "
    "word uses.",
    {
        "nn.Embedding(vocab_size, dim_vector,": "nn.Embedding(max(vocab_size, dim_vector), dim_vector,"
    },
)
PADDING_0_UNLESS_GIVEN = Mistake(
    PADDING_0_UNASKED.says,
    {"padding_idx=padding_idx)": "padding_idx=padding_idx or 0)"},
)
VIEW_OF_A_VIEW = Mistake(
    "view flattens tokens that are not contiguous, which PyTorch refuses. In training the target "
    "comes without its last token, and such a slice is not contiguous.",
    {"return self.embedding(x)": "return self.embedding(x.view(-1)).view(*x.shape, -1)"},
)
SPARSE_GRADIENT = Mistake(
    "sparse=True makes the gradient of the table sparse. Then Adam and the clipping of gradients "
    "stop with an error, and step 5.3 needs both.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx, sparse=True)"},
)

ONE_HOT_AS_WIDE_AS_THE_BATCH = Mistake(
    "F.one_hot without num_classes is as wide as the largest id of the batch needs. Give it vocab_size.",
    {
        "return self.embedding(x)": "return nn.functional.one_hot(x).to(self.embedding.weight.dtype) @ self.embedding.weight"
    },
)
ROWS_KEPT_BY_SHAPE = Mistake(
    "The rows of the first call are kept and returned for all later tokens of the same shape. Each "
    "call should read the rows of its own tokens.",
    {
        "return self.embedding(x)": """\
if getattr(self, "shape", None) != x.shape:
            self.shape, self.rows = x.shape, self.embedding(x)
        return self.rows"""
    },
)
ONE_SENTENCE_SQUEEZED = Mistake(
    "With one sentence in the batch, the output loses its first axis. It should have three axes "
    "for every batch.",
    {"return self.embedding(x)": "return self.embedding(x).squeeze(0)"},
)
DETACHED_IN_EVAL = Mistake(
    "In eval mode the rows are cut off from the gradient. Eval mode only turns off dropout; "
    "gradients flow there, too.",
    {
        "return self.embedding(x)": """\
rows = self.embedding(x)
        return rows if self.training else rows.detach()"""
    },
)

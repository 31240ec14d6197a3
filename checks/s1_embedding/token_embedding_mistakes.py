"""What people get wrong in s1_embedding/token_embedding.py."""

from checks.machine.known import Mistake

LOWER_CASE_LAYER = Mistake(
    "The layer's name is written in lower case, and PyTorch has no layer of that name, so the "
    "table cannot be built.",
    {"nn.Embedding(": "nn.embedding("},
)
PADDING_FIXED_1 = Mistake(
    "One fixed token is frozen as padding. Which token is padding is for the vocabulary to "
    "say: now a real word never learns and the real padding does.",
    {"padding_idx=padding_idx)": "padding_idx=1)"},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always treated as padding, even when no padding was asked for or another token "
    "is the padding, so a real word stays zero for ever.",
    {"padding_idx=padding_idx)": "padding_idx=0)"},
)
PADDING_DROPPED = Mistake(
    "The padding token is accepted but never reaches the table, so padding gets a vector of "
    "its own and learns.",
    {", padding_idx=padding_idx)": ")"},
)
PADDING_ZERO_IS_FALSY = Mistake(
    "Padding token 0 is mistaken for no padding at all, because zero counts as false. It is "
    "the most usual padding token.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx or None)"},
)
PADDING_ROW_REINITIALISED = Mistake(
    "The whole table is drawn again after the padding row was set to zero, so padding has a "
    "vector that is not zero and that never learns.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        nn.init.xavier_uniform_(self.embedding.weight)"""
    },
    seen="facebookresearch/fairseq#4633, microsoft/Graphormer#41",
)
PADDING_ZERO_ONCE = Mistake(
    "The padding row is zero only at the start: it gets a gradient, so the first training step "
    "moves it away from zero.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector)
        if padding_idx is not None:
            self.embedding.weight.data[padding_idx] = 0.0"""
    },
)
PADDING_LAST_ROW = Mistake(
    "The last word of the vocabulary is frozen instead of the padding token.",
    {"padding_idx=padding_idx)": "padding_idx=None if padding_idx is None else -1)"},
)
ZERO_ID_BLANKED = Mistake(
    "Token 0 is blanked in every output, whether or not it is the padding token; without "
    "padding it is an ordinary word.",
    {"return self.embedding(x)": "return self.embedding(x) * (x != 0).unsqueeze(-1)"},
)
TIMES_ROOT = Mistake(
    "The vectors are multiplied by the root of the width. The paper does so, this step does "
    "not: later steps and their numbers count on the plain rows.",
    {
        "return self.embedding(x)": """\
return self.embedding(x) * self.embedding.embedding_dim**0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
DIVIDED_BY_ROOT = Mistake(
    "The vectors are divided by the root of the width. That division belongs to attention "
    "scores; here the rows come out as they are.",
    {
        "return self.embedding(x)": """\
return self.embedding(x) / self.embedding.embedding_dim**0.5"""
    },
    seen="Kyubyong/transformer#132, pytorch/tutorials#2849",
)
TIMES_WIDTH = Mistake(
    "The width factor is in twice, so the words are far too large and drown the positions.",
    {
        "return self.embedding(x)": """\
return self.embedding(x) * self.embedding.embedding_dim"""
    },
    seen="SamLynnEvans/Transformer#10",
)
ARGUMENTS_SWAPPED = Mistake(
    "The table has one row for each feature and one column for each word: it is built the "
    "wrong way round.",
    {"nn.Embedding(vocab_size, dim_vector, ": "nn.Embedding(dim_vector, vocab_size, "},
)
SQUARE_TABLE = Mistake(
    "Rows are as long as the vocabulary, not as wide as the model.",
    {"nn.Embedding(vocab_size, dim_vector, ": "nn.Embedding(vocab_size, vocab_size, "},
)
ONE_ROW_SHORT = Mistake(
    "The table lacks a row: the last word of the vocabulary cannot be looked up.",
    {"nn.Embedding(vocab_size, ": "nn.Embedding(vocab_size - 1, "},
)
ONE_ROW_TOO_MANY = Mistake(
    "The table has one row more than the vocabulary has words; no token ever reads it, so it "
    "never learns.",
    {"nn.Embedding(vocab_size, ": "nn.Embedding(vocab_size + 1, "},
)
FROZEN_TABLE = Mistake(
    "The table is frozen: the vectors of the words never learn anything.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        self.embedding.weight.requires_grad_(False)"""
    },
)
DETACHED = Mistake(
    "The table is read in a way that leaves no gradient behind, so none of its rows can ever "
    "learn.",
    {"return self.embedding(x)": "return self.embedding(x).detach()"},
)
READS_RAW_DATA = Mistake(
    "The table is read in a way that leaves no gradient behind, so none of its rows can ever "
    "learn.",
    {"return self.embedding(x)": "return self.embedding.weight.data[x]"},
)
PYTHON_LIST = Mistake(
    "The table sits in a plain Python list, where PyTorch does not look: it is neither "
    "trained, nor saved, nor moved.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.embedding = [nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)]""",
        "return self.embedding(x)": "return self.embedding[0](x)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
TABLE_MADE_IN_FORWARD = Mistake(
    "A new random table is made at every call, so the same word has another vector each time "
    "and nothing can be learned.",
    {
        "self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)": """\
self.sizes = (vocab_size, dim_vector, padding_idx)""",
        "return self.embedding(x)": "return nn.Embedding(*self.sizes)(x)",
    },
)
MAX_NORM = Mistake(
    "Rows that are longer than 1 are shortened when they are read, and even in the table "
    "itself. The row has to come out as it is.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx, max_norm=1.0)"},
)
GRADIENT_BY_FREQUENCY = Mistake(
    "The gradient of a word is divided by how often it occurs in the batch, so frequent words "
    "learn too slowly.",
    {"padding_idx=padding_idx)": "padding_idx=padding_idx, scale_grad_by_freq=True)"},
)
NORMALISED_ROWS = Mistake(
    "Each vector is scaled to length 1 on the way out, which loses what its length has learned.",
    {
        "return self.embedding(x)": """\
return nn.functional.normalize(self.embedding(x), dim=-1)"""
    },
)
FEATURES_BEFORE_TOKENS = Mistake(
    "Tokens and features have changed places in the output.",
    {"return self.embedding(x)": "return self.embedding(x).transpose(1, 2)"},
)
SUMMED_OVER_TOKENS = Mistake(
    "The words of a sentence are added up to one vector, but every token keeps a vector of its "
    "own.",
    {"return self.embedding(x)": "return self.embedding(x).sum(dim=1)"},
)
NEXT_ROW = Mistake(
    "Each token reads the row beside its own, as if tokens were counted from one.",
    {
        "return self.embedding(x)": """\
return self.embedding((x + 1) % self.embedding.num_embeddings)"""
    },
)
IDS_CHANGED_IN_PLACE = Mistake(
    "The caller's token ids are overwritten on the way.",
    {"return self.embedding(x)": "return self.embedding(x.clamp_(min=1))"},
    seen="jcyk/copyisallyouneed#6",
)
ALWAYS_DROPS = Mistake(
    "Numbers are dropped at random, even in evaluation. There is no dropout in this step.",
    {"return self.embedding(x)": "return nn.functional.dropout(self.embedding(x), 0.1)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {"return self.embedding(x)": "return self.embedding(x).float()"},
)
NO_SUPER_INIT = Mistake(
    "The parent class was never initialised, so PyTorch refuses to register the table.",
    {"        super().__init__()\n": ""},
)
NO_RETURN = Mistake(
    "The result is computed but not handed back: the caller gets nothing.",
    {"return self.embedding(x)": "self.embedding(x)"},
)
TANH_ON_TOP = Mistake(
    "The rows are squeezed into -1 to 1; the table's rows must come out as they are.",
    {"return self.embedding(x)": "return self.embedding(x).tanh()"},
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"return self.embedding(x)": "return self.embedding(x).squeeze()"},
)

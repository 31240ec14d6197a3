"""What people get wrong in s1_embedding/scaled_embedding.py.

Not here, on purpose:
- a scale that is kept as a buffer: it is not learned, and the numbers are right.
"""

from checks.machine.known import Mistake

TOKENS = "self.token_embedding(x) * self.scale"
SUM = f"{TOKENS} + self.positional_embedding(x)"
ANSWER = f"return self.dropout({SUM})"
TORCH = {"import math\n": "import math\n\nimport torch"}

# The factor

NO_FACTOR = Mistake(
    "forward does not scale the token vectors: whatever the table holds, this is the embedding of "
    "step 1.3. The paper multiplies them by the root of dim_vector before it adds the positions.",
    {TOKENS: "self.token_embedding(x)"},
)
FACTOR_ON_SUM = Mistake(
    "The sum of word and position is scaled, so the positions grow along with the words. Only "
    "the token vectors are multiplied by the root.",
    {SUM: "(self.token_embedding(x) + self.positional_embedding(x)) * self.scale"},
)
FACTOR_ON_POSITIONS = Mistake(
    "The positions are scaled instead of the words. The factor is to make the words large "
    "beside the positions, not the reverse.",
    {SUM: "self.token_embedding(x) + self.positional_embedding(x) * self.scale"},
)
FACTOR_ON_BOTH_APART = Mistake(
    FACTOR_ON_SUM.says,
    {SUM: f"{TOKENS} + self.scale * self.positional_embedding(x)"},
)
DIVIDED = Mistake(
    "The token vectors are divided by the root instead of multiplied by it, so the positions "
    "drown them.",
    {TOKENS: "self.token_embedding(x) / self.scale"},
)
NO_ROOT = Mistake(
    "The factor is dim_vector itself, not its root, so the words are far too large.",
    {"math.sqrt(dim_vector)": "dim_vector"},
)
FACTOR_TWICE = Mistake(
    NO_ROOT.says,
    {TOKENS: f"{TOKENS} * self.scale"},
)
ROOT_OF_VOCABULARY = Mistake(
    "The factor is the root of vocab_size. It is the width of a vector that counts, not how many "
    "words there are.",
    {"math.sqrt(dim_vector)": "math.sqrt(vocab_size)"},
)
ROOT_OF_MAX_LEN = Mistake(
    "The factor is the root of max_len. It is the width of a vector that counts, not how long a "
    "sentence may be.",
    {"math.sqrt(dim_vector)": "math.sqrt(max_len)"},
)
ROOT_OF_SEQ_LENGTH = Mistake(
    "The factor is the root of the sentence's length, so the same word is larger in a longer "
    "sentence. It is the width of a vector that counts.",
    {TOKENS: "self.token_embedding(x) * math.sqrt(x.size(1))"},
)
FACTOR_FIXED = Mistake(
    "The factor is a fixed number, the root of the paper's 512, whatever dim_vector is.",
    {"math.sqrt(dim_vector)": "math.sqrt(512)"},
)
FACTOR_ROUNDED = Mistake(
    "The root is rounded down to a whole number, so the words come out too small.",
    {"math.sqrt(dim_vector)": "math.isqrt(dim_vector)"},
)
FACTOR_LEARNED = Mistake(
    "The factor is a parameter, so training will change it. It is a fixed number.",
    {
        **TORCH,
        "math.sqrt(dim_vector)": "nn.Parameter(torch.tensor(math.sqrt(dim_vector)))",
    },
)
FACTOR_IN_THE_TABLE = Mistake(
    NO_FACTOR.says,
    {
        "self.scale = math.sqrt(dim_vector)": """\
self.token_embedding.embedding.weight.data *= math.sqrt(dim_vector)""",
        TOKENS: "self.token_embedding(x)",
    },
)
TABLE_GROWS = Mistake(
    "The table itself is multiplied at every call, so its words grow from call to call without "
    "end.",
    {
        ANSWER: """\
self.token_embedding.embedding.weight.data *= self.scale
        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))"""
    },
)
FACTOR_AFTER_DROPOUT = Mistake(
    FACTOR_ON_SUM.says,
    {
        ANSWER: "return self.dropout(self.token_embedding(x) + self.positional_embedding(x)) * self.scale"
    },
)
FACTOR_ONLY_IN_TRAINING = Mistake(
    "The words are scaled in training only, so the finished model reads words of another size "
    "than those it has learned with.",
    {TOKENS: "self.token_embedding(x) * (self.scale if self.training else 1.0)"},
)
NORMED_INSTEAD = Mistake(
    "Every token vector is brought to one length. The factor is the same for all words; what "
    "the table says about their lengths has to stay.",
    {TOKENS: "nn.functional.normalize(self.token_embedding(x), dim=-1) * self.scale"},
)

# What goes wrong in step 1.3 as well

NO_POSITIONS = Mistake(
    "The positions are never added. Attention by itself does not see word order, so to the "
    "model every order of the same words looks the same.",
    {SUM: TOKENS},
)
ONLY_POSITIONS = Mistake(
    "The words are missing: only the positions come out, so all sentences of the same length "
    "look the same.",
    {SUM: "self.positional_embedding(x).expand(x.size(0), -1, -1)"},
)
MULTIPLIED = Mistake(
    "Words and positions are multiplied instead of added, so a zero in one erases the other.",
    {SUM: f"{TOKENS} * self.positional_embedding(x)"},
)
SUBTRACTED = Mistake(
    "The positions are subtracted instead of added, so all their waves are upside down.",
    {SUM: f"{TOKENS} - self.positional_embedding(x)"},
)
POSITIONS_TWICE = Mistake(
    "The positions are added twice, so they weigh too much beside the words.",
    {SUM: f"{TOKENS} + 2 * self.positional_embedding(x)"},
)
CONCATENATED = Mistake(
    "Words and positions are laid side by side, which doubles the width. They are added number "
    "by number, so that the width stays dim_vector.",
    {
        **TORCH,
        ANSWER: f"""\
position = self.positional_embedding(x).expand(x.size(0), -1, -1)
        return self.dropout(torch.cat([{TOKENS}, position], dim=-1))""",
    },
)
POSITION_BY_TOKEN = Mistake(
    "The position is looked up by which word it is, not by where it stands, so word order is lost.",
    {SUM: f"{TOKENS} + self.positional_embedding.pe[x % self.positional_embedding.pe.size(0)]"},
)
POSITIONS_OF_SENTENCES = Mistake(
    "The sentences of the batch are numbered instead of the words of a sentence. All words of "
    "a sentence get the same position, so word order is lost.",
    {SUM: f"{TOKENS} + self.positional_embedding(x.T).unsqueeze(1)"},
    seen="KasperGroesLudvigsen/influenza_transformer#9, NeuracoreAI/neuracore#154",
)
POSITIONS_BACKWARDS = Mistake(
    "The positions are counted from the end of the sentence, so the first word is not at 0.",
    {SUM: f"{TOKENS} + self.positional_embedding(x).flip(0)"},
)
LEARNED_POSITIONS = Mistake(
    "The positions come from a table that has to be learned. This step adds the fixed waves of "
    "step 1.2, which need no training.",
    {
        **TORCH,
        "PositionalEmbedding(dim_vector, max_len)": "nn.Embedding(max_len, dim_vector)",
        SUM: f"{TOKENS} + self.positional_embedding(torch.arange(x.size(1), device=x.device))",
    },
)
NO_DROPOUT = Mistake(
    "Dropout is never applied, or not with the share that was asked for: in training nothing "
    "is dropped from the sum.",
    {ANSWER: f"return {SUM}"},
)
DROPS_WORDS_ONLY = Mistake(
    "Dropout acts on the words only, so every position comes through in full. The paper drops "
    "from the sum of word and position.",
    {ANSWER: f"return self.dropout({TOKENS}) + self.positional_embedding(x)"},
)
DROPS_POSITIONS_ONLY = Mistake(
    "Dropout acts on the positions only, so every word comes through in full. The paper drops "
    "from the sum of word and position.",
    {
        ANSWER: f"return {TOKENS} "
        "+ self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"
    },
)
DROPS_TWICE = Mistake(
    "Dropout is applied twice, once to the words and once to the sum, so more of the words is "
    "lost than the given share.",
    {TOKENS: f"self.dropout({TOKENS})"},
)
KEEP_PROBABILITY = Mistake(
    "The number is taken as the share to keep, not the share to drop. With a small share such "
    "as 0.1, nearly everything is lost.",
    {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given, nothing is dropped. The default is one tenth, as a guard against "
    "learning by heart.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is written into the code and the given one is ignored, so the dropout "
    "cannot be changed or turned off.",
    {"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "The dropout does not follow evaluation mode, so even the finished model drops numbers at "
    "random and gives another result each time.",
    {
        "self.dropout(": "nn.functional.dropout(",
        f"dropout({SUM})": f"dropout({SUM}, self.dropout.p)",
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPS_WHOLE_TOKENS = Mistake(
    "Whole tokens are dropped at once instead of single numbers, so words vanish completely "
    "from a sentence.",
    {"nn.Dropout(dropout)": "nn.Dropout1d(dropout)"},
)
PADDING_NOT_HANDED_DOWN = Mistake(
    "The padding_idx that was asked for does not reach the token embedding, so the padding token "
    "gets a vector of its own and learns.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": "TokenEmbedding(vocab_size, dim_vector)"
    },
)
PADDING_0_LOST = Mistake(
    "A padding_idx of 0 is taken for none, because 0 counts as false. So padding gets a vector of "
    "its own and learns.",
    {"dim_vector, padding_idx)": "dim_vector, padding_idx or None)"},
)
PADDING_LEARNS = Mistake(
    "The row of padding gets a gradient. It is zero at first, but no longer when the model has "
    "been trained.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.token_embedding.embedding.padding_idx = None"""
    },
)
PADDING_LEARNS_BY_PRODUCT = Mistake(
    PADDING_LEARNS.says,
    {
        "self.token_embedding(x) * self.scale": """\
(
            nn.functional.one_hot(x, self.token_embedding.embedding.num_embeddings)
            .to(self.token_embedding.embedding.weight)
            .matmul(self.token_embedding.embedding.weight)
            * self.scale
        )"""
    },
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always treated as padding, whatever padding_idx says. So a real word can stay "
    "zero for ever, while the true padding token learns.",
    {"dim_vector, padding_idx)": "dim_vector, 0)"},
)
TABLE_ARGUMENTS_SWAPPED = Mistake(
    "The position table gets dim_vector and max_len the wrong way round, so its rows have the "
    "wrong width and do not fit the words.",
    {"PositionalEmbedding(dim_vector, max_len)": "PositionalEmbedding(max_len, dim_vector)"},
)
MAX_LEN_IGNORED = Mistake(
    "The position table has another length than max_len, so max_len is not the limit. Sentences that are "
    "too long get through, or good ones are refused.",
    {"PositionalEmbedding(dim_vector, max_len)": "PositionalEmbedding(dim_vector, 512)"},
)
WORDS_DETACHED = Mistake(
    "The words are cut off from the gradient, so the token table never learns and the words "
    "keep their random first vectors.",
    {TOKENS: "self.token_embedding(x).detach() * self.scale"},
)
LAYER_NORM_ADDED = Mistake(
    "The sum is normalised as well. This step has no normalisation: it takes away how large "
    "the vectors are, and brings parameters that do not belong here.",
    {
        "self.scale = math.sqrt(dim_vector)": """\
self.scale = math.sqrt(dim_vector)
        self.norm = nn.LayerNorm(dim_vector)""",
        SUM: f"self.norm({SUM})",
    },
)
PYTHON_LIST = Mistake(
    "The token table sits in a plain Python list, where PyTorch does not look for layers. So "
    "it is not trained, not saved, and not moved with the module.",
    {
        "self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
self.tables = [TokenEmbedding(vocab_size, dim_vector, padding_idx)]""",
        "self.token_embedding(x)": "self.tables[0](x)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
FLOAT32_ONLY = Mistake(
    "The output is always turned into single precision. In a module of another precision, the "
    "next layer then gets numbers of the wrong type.",
    {SUM: f"({SUM}).float()"},
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {ANSWER: f"{ANSWER}.squeeze()"},
)

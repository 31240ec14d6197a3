"""What people get wrong in s1_embedding/scaled_embedding.py.

Not here, on purpose:
- a scale in a buffer: it does not learn, and the numbers are right.
"""

from checks.engine.known import Mistake
from checks.s1_embedding.transformer_embedding import mistakes as embedding

TOKENS = "self.token_embedding(x) * self.scale"
SUM = f"{TOKENS} + self.positional_embedding(x)"
ANSWER = f"return self.dropout({SUM})"
TORCH = {"import math\n": "import math\n\nimport torch"}

# The factor

NO_FACTOR = Mistake(
    "forward does not scale the token vectors, so this is still the embedding of step 1.3. The "
    "paper multiplies them by the square root of dim_vector before it adds the positions.",
    {TOKENS: "self.token_embedding(x)"},
)
FACTOR_ON_SUM = Mistake(
    "The sum of word and position is scaled, so the positions grow too. Only the token vectors "
    "are multiplied by the square root of dim_vector.",
    {SUM: "(self.token_embedding(x) + self.positional_embedding(x)) * self.scale"},
)
FACTOR_ON_POSITIONS = Mistake(
    "The positions are scaled instead of the words. The factor should make the words large beside "
    "the positions, not the reverse.",
    {SUM: "self.token_embedding(x) + self.positional_embedding(x) * self.scale"},
)
FACTOR_ON_BOTH_APART = Mistake(
    FACTOR_ON_SUM.says,
    {SUM: f"{TOKENS} + self.scale * self.positional_embedding(x)"},
)
DIVIDED = Mistake(
    "The token vectors are divided by the square root of dim_vector instead of multiplied by it. "
    "The words are then too small beside the positions.",
    {TOKENS: "self.token_embedding(x) / self.scale"},
)
NO_ROOT = Mistake(
    "The factor is dim_vector itself, not its square root, so the words are far too large.",
    {"math.sqrt(dim_vector)": "dim_vector"},
)
FACTOR_TWICE = Mistake(
    NO_ROOT.says,
    {TOKENS: f"{TOKENS} * self.scale"},
)
ROOT_OF_VOCABULARY = Mistake(
    "The factor is the square root of vocab_size instead of dim_vector. It depends on the width "
    "of a vector, not on the number of words.",
    {"math.sqrt(dim_vector)": "math.sqrt(vocab_size)"},
)
ROOT_OF_MAX_LEN = Mistake(
    "The factor is the square root of max_len instead of dim_vector. It depends on the width of a "
    "vector, not on the longest sentence.",
    {"math.sqrt(dim_vector)": "math.sqrt(max_len)"},
)
ROOT_OF_SEQ_LENGTH = Mistake(
    "The factor is the square root of the sentence's length, so the same word is larger in a "
    "longer sentence. It must be the square root of dim_vector.",
    {TOKENS: "self.token_embedding(x) * math.sqrt(x.size(1))"},
)
FACTOR_FIXED = Mistake(
    "The factor is a fixed number, the square root of the paper's 512. It must be the square root "
    "of the given dim_vector.",
    {"math.sqrt(dim_vector)": "math.sqrt(512)"},
)
FACTOR_ROUNDED = Mistake(
    "The square root is rounded down to a whole number, so the words are too small.",
    {"math.sqrt(dim_vector)": "math.isqrt(dim_vector)"},
)
FACTOR_LEARNED = Mistake(
    "The factor is a parameter, so training will change it. It must be a fixed number.",
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
    "The table itself is multiplied at every call. So its entries grow from call to call without "
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
    "The words are scaled in train mode only. In eval mode the model reads words of another "
    "size than those it has learned with.",
    {TOKENS: "self.token_embedding(x) * (self.scale if self.training else 1.0)"},
)
NORMED_INSTEAD = Mistake(
    "Every token vector is scaled to the same length. The factor must be the same for all words, "
    "so that their different lengths remain.",
    {TOKENS: "nn.functional.normalize(self.token_embedding(x), dim=-1) * self.scale"},
)

# What goes wrong in step 1.3 as well

NO_POSITIONS = Mistake(
    "The positions are never added. Attention alone does not see word order, so every order of "
    "the same words looks the same to the model.",
    {SUM: TOKENS},
)
ONLY_POSITIONS = Mistake(
    "The words are missing and only the positions are returned. So all sentences of the same "
    "length look the same.",
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
    "Words and positions are concatenated, which doubles the width. They must be added entry by "
    "entry, so that the width stays dim_vector.",
    {
        **TORCH,
        ANSWER: f"""\
position = self.positional_embedding(x).expand(x.size(0), -1, -1)
        return self.dropout(torch.cat([{TOKENS}, position], dim=-1))""",
    },
)
POSITION_BY_TOKEN = Mistake(
    "The position is chosen by the token's id, not by its place in the sentence, so word order is "
    "lost.",
    {SUM: f"{TOKENS} + self.positional_embedding.pe[x % self.positional_embedding.pe.size(0)]"},
)
POSITIONS_OF_SENTENCES = Mistake(
    "The positions count the sentences of the batch instead of the words of a sentence. All words "
    "of a sentence get the same position, so word order is lost.",
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
    "Nothing is dropped from the sum in train mode. Dropout is missing, or it does not get the "
    "given probability.",
    {ANSWER: f"return {SUM}"},
)
DROPS_WORDS_ONLY = Mistake(
    "Dropout acts on the words only, so every position is kept complete. The paper applies "
    "dropout to the sum of word and position.",
    {ANSWER: f"return self.dropout({TOKENS}) + self.positional_embedding(x)"},
)
DROPS_POSITIONS_ONLY = Mistake(
    "Dropout acts on the positions only, so every word is kept complete. The paper applies "
    "dropout to the sum of word and position.",
    {
        ANSWER: f"return {TOKENS} "
        "+ self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"
    },
)
DROPS_TWICE = Mistake(
    "Dropout is applied twice, once to the words and once to the sum. So entries of the words are "
    "dropped more often than the given probability says.",
    {TOKENS: f"self.dropout({TOKENS})"},
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry, but it is the probability to "
    "drop it. With 0.1, nearly everything is lost.",
    {"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "If no dropout is given, nothing is dropped. The default must be 0.1, because without dropout "
    "the model overfits more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_FIXED = Mistake(
    "The dropout probability is a fixed number in the code, and the given one is ignored. So "
    "dropout cannot be changed or turned off.",
    {"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "Entries are dropped in eval mode, too, so each call gives another result. F.dropout "
    "without self.training and a layer made in forward do that: make nn.Dropout in __init__.",
    {
        "self.dropout(": "nn.functional.dropout(",
        f"dropout({SUM})": f"dropout({SUM}, self.dropout.p)",
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ALWAYS_A_TENTH = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {
        "self.dropout(": "nn.functional.dropout(",
        f"dropout({SUM})": f"dropout({SUM}, 0.1)",
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
ZERO_DROPOUT_IGNORED = Mistake(
    "If dropout is 0, one entry in ten is still dropped. In Python, `0 or 0.1` is 0.1.",
    {"nn.Dropout(dropout)": "nn.Dropout(dropout or 0.1)"},
)
ALPHA_DROPOUT = Mistake(
    "This is alpha dropout: dropped entries do not become zero, and the others are rescaled and "
    "shifted. That distorts the sum.",
    {"nn.Dropout(dropout)": "nn.AlphaDropout(dropout)"},
)
DROPS_WHOLE_TOKENS = Mistake(
    "Whole tokens are dropped at once instead of single entries. So words disappear completely "
    "from a sentence.",
    {"nn.Dropout(dropout)": "nn.Dropout1d(dropout)"},
)
PADDING_NOT_HANDED_DOWN = Mistake(
    "The given padding_idx does not reach the token embedding. So the padding token gets a vector "
    "of its own and learns.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": "TokenEmbedding(vocab_size, dim_vector)"
    },
)
PADDING_0_LOST = Mistake(
    "A padding_idx of 0 is treated as None, because 0 counts as false. So padding gets a vector "
    "of its own and learns.",
    {"dim_vector, padding_idx)": "dim_vector, padding_idx or None)"},
)
PADDING_LEARNS = Mistake(
    "The row of padding gets a gradient. It is zero at first, but training changes it.",
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
    "Token 0 is always treated as padding, and padding_idx is ignored. So a real word can stay "
    "zero for ever, while the true padding token learns.",
    {"dim_vector, padding_idx)": "dim_vector, 0)"},
)
TABLE_ARGUMENTS_SWAPPED = Mistake(
    "The position table gets dim_vector and max_len in the wrong order. So its rows have the "
    "wrong width and do not fit the words.",
    {"PositionalEmbedding(dim_vector, max_len)": "PositionalEmbedding(max_len, dim_vector)"},
)
MAX_LEN_IGNORED = Mistake(
    "The position table has another length than max_len. So sentences that are too long are "
    "accepted, or valid ones are refused.",
    {"PositionalEmbedding(dim_vector, max_len)": "PositionalEmbedding(dim_vector, 512)"},
)
WORDS_DETACHED = Mistake(
    "The words are cut off from the gradient. The token table never learns, and the words keep "
    "their random first vectors.",
    {TOKENS: "self.token_embedding(x).detach() * self.scale"},
)
LAYER_NORM_ADDED = Mistake(
    "The sum is normalised, but this step has no normalisation. It removes the size of the "
    "vectors and adds parameters that do not belong here.",
    {
        "self.scale = math.sqrt(dim_vector)": """\
self.scale = math.sqrt(dim_vector)
        self.norm = nn.LayerNorm(dim_vector)""",
        SUM: f"self.norm({SUM})",
    },
)
PYTHON_LIST = Mistake(
    "The token table sits in a plain list, tuple or dictionary, where PyTorch does not look for "
    "layers. So it is not trained, not saved, and not moved with the module.",
    {
        "self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
self.tables = [TokenEmbedding(vocab_size, dim_vector, padding_idx)]""",
        "self.token_embedding(x)": "self.tables[0](x)",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. In a module of another dtype, the next layer then "
    "gets values of the wrong dtype.",
    {SUM: f"({SUM}).float()"},
)
AT_MOST_512_POSITIONS = Mistake(
    "The sentence gets at most 512 positions. In a longer sentence the later tokens have no "
    "position, or the sizes do not fit.",
    {
        "PositionalEmbedding(dim_vector, max_len)": "PositionalEmbedding(dim_vector, min(max_len, 512))"
    },
)
AT_MOST_512_WORDS = Mistake(
    "The table of words never has more than 512 rows, even if vocab_size is larger. The ids of "
    "the other words do not fit.",
    {"TokenEmbedding(vocab_size, dim_vector,": "TokenEmbedding(min(vocab_size, 512), dim_vector,"},
)
AT_LEAST_DIM_VECTOR_WORDS = Mistake(
    "The table of words has at least dim_vector rows. With fewer words than features it has rows "
    "that no word uses.",
    {
        "TokenEmbedding(vocab_size, dim_vector,": "TokenEmbedding(max(vocab_size, dim_vector), dim_vector,"
    },
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are cut to 8 bits, which hold 256 numbers. A word with a larger id gets the "
    "row of another word.",
    {"self.token_embedding(x) * self.scale +": "self.token_embedding(x % 256) * self.scale +"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes.",
    {ANSWER: f"{ANSWER}.squeeze()"},
)
ID_0_HAS_NO_PLACE = Mistake(
    embedding.ID_0_HAS_NO_PLACE.says,
    {"+ self.positional_embedding(x)": "+ self.positional_embedding(x) * (x != 0).unsqueeze(-1)"},
)
PADDING_HAS_NO_PLACE = Mistake(
    embedding.PADDING_HAS_NO_PLACE.says,
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Dropout(dropout)
        self.padding_idx = padding_idx
""",
        "return self.dropout(self.token_embedding(x) * self.scale + self.positional_embedding(x))": """\
places = self.positional_embedding(x)
        if self.padding_idx is not None:
            places = places * (x != self.padding_idx).unsqueeze(-1)
        return self.dropout(self.token_embedding(x) * self.scale + places)""",
    },
)
POSITIONS_OF_THE_FIRST_CALL = Mistake(
    "The positions of the first call are kept for all later ones. A longer sentence has too few of "
    "them.",
    {
        "return self.dropout(self.token_embedding(x) * self.scale + self.positional_embedding(x))": """\
positions = self.positional_embedding(x)  # It refuses what is too long.
        positions = self.__dict__.setdefault("positions", positions)
        return self.dropout(self.token_embedding(x) * self.scale + positions[: x.size(1)])"""
    },
)

POSITIONS_DIVIDED = Mistake(
    "The positions are divided by the factor. They stay as they are; only the token vectors are multiplied.",
    {"+ self.positional_embedding(x))": "+ self.positional_embedding(x) / self.scale)"},
)

POWER_WITHOUT_PARENTHESES = Mistake(
    "`dim_vector ** 1 / 2` is half of dim_vector, because Python takes ** before /. Write dim_vector ** 0.5.",
    {"math.sqrt(dim_vector)": "dim_vector**1 / 2"},
)

ROOT_OF_AN_EVEN_WIDTH = Mistake(
    "If dim_vector is odd, the square root of the even number below it is taken. Take that of dim_vector itself.",
    {"math.sqrt(dim_vector)": "math.sqrt(dim_vector // 2 * 2)"},
)

FACTOR_OF_THE_CLASS = Mistake(
    "The factor belongs to the class, so the next layer of another width changes it. Keep it on self.",
    {"self.scale = math.sqrt(dim_vector)": "ScaledEmbedding.scale = math.sqrt(dim_vector)"},
)
POSITIONS_DIVIDED_INSTEAD = Mistake(
    "The positions are divided by the factor, and the token vectors stay as they are. The token "
    "vectors should be multiplied by it.",
    {
        "self.token_embedding(x) * self.scale + self.positional_embedding(x)": """\
self.token_embedding(x) + self.positional_embedding(x) / self.scale"""
    },
)
ROOT_OF_HALF = Mistake(
    "The factor is the square root of half of dim_vector. Take the square root of dim_vector "
    "itself.",
    {"math.sqrt(dim_vector)": "math.sqrt(dim_vector // 2)"},
)
FACTOR_ONLY_IN_EVAL = Mistake(
    "The words are scaled in eval mode only. In train mode the model reads words of another size.",
    {"* self.scale": "* (1 if self.training else self.scale)"},
)
POSITIONS_IN_TRAINING_ONLY = Mistake(
    embedding.POSITIONS_IN_TRAINING_ONLY.says,
    {"+ self.positional_embedding(x)": "+ self.positional_embedding(x) * self.training"},
)
ONE_SENTENCE_SQUEEZED = Mistake(
    embedding.ONE_SENTENCE_SQUEEZED.says,
    {
        "+ self.positional_embedding(x))": "+ self.positional_embedding(x)).squeeze(0)",
    },
)

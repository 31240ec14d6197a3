"""What people get wrong in s1_embedding/transformer_embedding.py.

Not here, on purpose:
- vectors instead of token ids as the argument for positions: step 1.2 reads only the length, so
  the numbers are right.
"""

from checks.engine.known import Mistake
from checks.s1_embedding.token_embedding import mistakes as token_embedding

NO_POSITIONS = Mistake(
    "The positions are never added. Attention alone does not see word order, so every order of "
    "the same words looks the same to the model.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x))"""
    },
)
ONLY_POSITIONS = Mistake(
    "The words are missing and only the positions are returned. So all sentences of the same "
    "length look the same.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"""
    },
)
CONCATENATED = Mistake(
    "Words and positions are concatenated, which doubles the width. They must be added entry by "
    "entry, so that the width stays dim_vector.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
position = self.positional_embedding(x).expand(x.size(0), -1, -1)
        return self.dropout(torch.cat([self.token_embedding(x), position], dim=-1))""",
    },
)
MULTIPLIED = Mistake(
    "Words and positions are multiplied instead of added, so a zero in one erases the other. At "
    "position 0 every sine is zero, so half of the word is lost.",
    {"self.token_embedding(x) + self": "self.token_embedding(x) * self"},
)
SUBTRACTED = Mistake(
    "The positions are subtracted instead of added, so all their waves are upside down.",
    {"self.token_embedding(x) + self": "self.token_embedding(x) - self"},
)
AVERAGED = Mistake(
    "The mean of word and position is taken instead of their sum. The input of the model is only "
    "half as large as it should be.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout((self.token_embedding(x) + self.positional_embedding(x)) / 2)"""
    },
)
ROOT_ON_WORDS = Mistake(
    "The words are multiplied by the square root of dim_vector before the positions are added. "
    "This course leaves that factor out, because it makes the positions too weak.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
tokens = self.token_embedding(x)
        return self.dropout(tokens * tokens.size(-1) ** 0.5 + self.positional_embedding(x))"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
ROOT_ON_SUM = Mistake(
    "The sum of word and position is multiplied by the square root of dim_vector. Nothing is "
    "scaled in this step, so the input of the model is too large.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
out = self.token_embedding(x) + self.positional_embedding(x)
        return self.dropout(out * out.size(-1) ** 0.5)"""
    },
)
POSITIONS_TWICE = Mistake(
    "The positions are added twice, so they weigh too much beside the words.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + 2 * self.positional_embedding(x))"""
    },
)
NO_DROPOUT = Mistake(
    "Nothing is dropped from the sum in train mode. Dropout is missing, or it does not get the "
    "given probability.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.token_embedding(x) + self.positional_embedding(x)"""
    },
)
DROPS_WORDS_ONLY = Mistake(
    "Dropout acts on the words only, so every position is kept complete. The paper applies "
    "dropout to the sum of word and position.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x)) + self.positional_embedding(x)"""
    },
)
DROPS_POSITIONS_ONLY = Mistake(
    "Dropout acts on the positions only, so every word is kept complete. The paper applies "
    "dropout to the sum of word and position.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.token_embedding(x) + self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"""
    },
)
DROPS_EACH_APART = Mistake(
    "Dropout is applied to words and positions separately, so often only one of the two becomes "
    "0. Each entry of the sum must be dropped as a whole.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x)) + self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"""
    },
)
DROPS_TWICE = Mistake(
    "Dropout is applied twice, once to the words and once to the sum. So entries of the words are "
    "dropped more often than the given probability says.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.dropout(self.token_embedding(x)) + self.positional_embedding(x))"""
    },
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry, but it is the probability to "
    "drop it. With 0.1, nearly everything is lost.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "If no dropout is given, nothing is dropped. The default must be 0.1, because without dropout "
    "the model overfits more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DEFAULT_DROPOUT_HALF = Mistake(
    "If no dropout is given, half of the entries are dropped. The default must be 0.1; with 0.5, "
    "too much of the sentence is lost.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_FIXED = Mistake(
    "The dropout probability is a fixed number in the code, and the given one is ignored. So "
    "dropout cannot be changed or turned off.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
DROPOUT_ARGUMENT_FORGOTTEN = Mistake(
    "The given dropout never reaches the dropout layer. It then drops half of the entries, which "
    "is PyTorch's default.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout()"},
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    "Entries are dropped in eval mode, too, so each call gives another result. F.dropout "
    "without self.training and a layer made in forward do that: make nn.Dropout in __init__.",
    {
        "self.dropout = nn.Dropout(dropout)": "self.share = dropout",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return nn.Dropout(self.share)(self.token_embedding(x) + self.positional_embedding(x))""",
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ALWAYS_ON = Mistake(
    DROPOUT_MADE_IN_FORWARD.says,
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return nn.functional.dropout(self.token_embedding(x) + self.positional_embedding(x), self.dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ALWAYS_A_TENTH = Mistake(
    DROPOUT_MADE_IN_FORWARD.says,
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return nn.functional.dropout(self.token_embedding(x) + self.positional_embedding(x), 0.1)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ONLY_IN_EVAL = Mistake(
    "Dropout is off in train mode and on in eval mode, the wrong way round. It does not "
    "help the training, and the finished model gives random results.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
out = self.token_embedding(x) + self.positional_embedding(x)
        return nn.functional.dropout(out, self.dropout.p, not self.training)"""
    },
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
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
DROPS_ONE_PATTERN_FOR_THE_BATCH = Mistake(
    "All sentences of a batch lose the same entries. Dropout must be drawn separately for each "
    "sentence, or it varies far too little.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
out = self.token_embedding(x) + self.positional_embedding(x)
        return out * self.dropout(torch.ones_like(out[0]))""",
    },
)
DROPOUT_NOT_RESCALED = Mistake(
    "The entries that dropout keeps are not divided by 1 - dropout. So inputs are smaller on "
    "average in training than in eval mode.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
out = self.token_embedding(x) + self.positional_embedding(x)
        if self.training:
            out = out * (torch.rand_like(out) >= self.dropout.p)
        return out""",
    },
)
POSITION_BY_TOKEN = Mistake(
    "The position is chosen by the token's id, not by its place in the sentence. The same word "
    "gets the same position everywhere, so word order is lost.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
table = self.positional_embedding.pe
        return self.dropout(self.token_embedding(x) + table[x % table.size(0)])"""
    },
)
POSITIONS_OF_SENTENCES = Mistake(
    "The positions count the sentences of the batch instead of the words of a sentence. All words "
    "of a sentence get the same position, so word order is lost.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x.T).unsqueeze(1))"""
    },
    seen="KasperGroesLudvigsen/influenza_transformer#9, NeuracoreAI/neuracore#154",
)
ONE_POSITION_FOR_ALL = Mistake(
    "The last position is added to every word of every sentence, so word order is lost.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x)[-1])"""
    },
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
POSITIONS_BACKWARDS = Mistake(
    "The positions are counted from the end of the sentence. So the position of a word changes "
    "with the length of the sentence, and the first word is not at 0.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x).flip(0))"""
    },
)
LEARNED_POSITIONS = Mistake(
    "The positions come from a table that has to be learned. This step adds the fixed waves of "
    "step 1.2, which need no training.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = nn.Embedding(max_len, dim_vector)""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
position = torch.arange(x.size(1), device=x.device)
        return self.dropout(self.token_embedding(x) + self.positional_embedding(position))""",
    },
)
TRAINABLE_WAVES = Mistake(
    "The table of waves becomes a parameter, so the optimiser will change it. The formula gives "
    "the waves, and they must stay fixed.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
        table = self.positional_embedding.pe
        del self.positional_embedding.pe
        self.positional_embedding.pe = nn.Parameter(table)"""
    },
)
PADDING_ZERO_LOST = Mistake(
    "The padding_idx 0 is lost, because 0 counts as false. Only None means that there is no "
    "padding.",
    {"dim_vector, padding_idx)": "dim_vector, padding_idx or None)"},
)
PADDING_NOT_HANDED_DOWN = Mistake(
    "The padding_idx is accepted but never reaches the token embedding, so the padding token "
    "gets a vector of its own and learns.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": (
            "TokenEmbedding(vocab_size, dim_vector)"
        )
    },
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always treated as padding, and padding_idx is ignored. So a real word can stay "
    "zero for ever, while the true padding token learns.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
TokenEmbedding(vocab_size, dim_vector, 0)"""
    },
)
TABLE_ARGUMENTS_SWAPPED = Mistake(
    "The position table gets dim_vector and max_len in the wrong order. So its rows have the "
    "wrong width and do not fit the words.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(max_len, dim_vector)"""
    },
)
TOKEN_ARGUMENTS_SWAPPED = Mistake(
    "The token table gets vocab_size and dim_vector in the wrong order. So its rows have the "
    "wrong width, and some words may have no row.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
TokenEmbedding(dim_vector, vocab_size, padding_idx)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "The position table has another length than max_len. So sentences that are too long are "
    "accepted, or valid ones are refused.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(dim_vector, 512)"""
    },
)
MAX_LEN_IS_VOCABULARY = Mistake(
    "The position table has one row for each word of the vocabulary instead of one for each "
    "position. So the limit on the length is not max_len.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(dim_vector, vocab_size)"""
    },
)
WORDS_DETACHED = Mistake(
    "The words are cut off from the gradient. The token table never learns, and the words keep "
    "their random first vectors.",
    {"self.token_embedding(x) + self": "self.token_embedding(x).detach() + self"},
)
LAYER_NORM_ADDED = Mistake(
    "The sum is normalised, but this step has no normalisation. It removes the size of the "
    "vectors and adds parameters that do not belong here.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.norm(self.token_embedding(x) + self.positional_embedding(x)))""",
    },
)
PYTHON_LIST = Mistake(
    "The token table sits in a plain list, tuple or dictionary, where PyTorch does not look for "
    "layers. So it is not trained, not saved, and not moved with the module.",
    {
        "self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
self.tables = [TokenEmbedding(vocab_size, dim_vector, padding_idx)]""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.tables[0](x) + self.positional_embedding(x))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
TWO_TOKEN_TABLES = Mistake(
    "A second token table is made but never used. Its parameters never learn and only take up "
    "memory.",
    {
        "self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.token_embedding2 = TokenEmbedding(vocab_size, dim_vector, padding_idx)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. In a module of another dtype, the next layer then "
    "gets values of the wrong dtype.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout((self.token_embedding(x) + self.positional_embedding(x)).float())"""
    },
)
TABLE_DROPPED_IN_PLACE = Mistake(
    "The dropout overwrites the position table itself. Each training step leaves more zeros "
    "there, so in the end the positions are lost, in eval mode too.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
position = self.positional_embedding(x)
        nn.functional.dropout(position, self.dropout.p, self.training, inplace=True)
        return self.token_embedding(x) + position"""
    },
    seen="jcyk/copyisallyouneed#6",
)
ACTIVATION_ON_TOP = Mistake(
    "Negative entries are set to 0 after the addition. Words and positions need both signs, so "
    "much of their information is lost.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout((self.token_embedding(x) + self.positional_embedding(x)).relu())"""
    },
)
PADDING_TAKEN_AS_DROPOUT = Mistake(
    NO_DROPOUT.says,
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(float(padding_idx or 0) / 10)"""
    },
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x)).squeeze()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start again at every call, so each training step drops the same entries. "
    "The model never learns from those entries.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.dropout(": """\
torch.manual_seed(0)
        return self.dropout(""",
    },
)
DROPS_EACH_APART_POSITIONS_FIRST = Mistake(
    DROPS_EACH_APART.says,
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
places = self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))
        return self.dropout(self.token_embedding(x)) + places"""
    },
)
DROPS_EACH_APART_ONE_PATTERN = Mistake(
    DROPS_EACH_APART.says,
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x)) + self.dropout(self.positional_embedding(x))"""
    },
)
UNUSED_PROJECTION = Mistake(
    "A linear layer is made and never used. Its parameters can never learn, and the embedding "
    "needs no projection.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.projection = nn.Linear(dim_vector, dim_vector)"""
    },
)
DROPS_POSITIONS_ONCE = Mistake(
    DROPS_POSITIONS_ONLY.says,
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.token_embedding(x) + self.dropout(self.positional_embedding(x))"""
    },
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
    {"self.token_embedding(x) +": "self.token_embedding(x % 256) +"},
)
POSITIONS_COUNT_REAL_TOKENS = Mistake(
    "Positions count only the real tokens, so a word after padding gets another word's position. "
    "Every token counts, padding too.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Dropout(dropout)
        self.padding_idx = padding_idx
""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
places = self.positional_embedding(x)
        if self.padding_idx is not None:
            places = places[((x != self.padding_idx).long().cumsum(dim=1) - 1).clamp(min=0)]
        return self.dropout(self.token_embedding(x) + places)""",
    },
)
VIEW_OF_A_VIEW = Mistake(
    token_embedding.VIEW_OF_A_VIEW.says,
    {"self.token_embedding(x) +": "self.token_embedding(x.view(-1)).view(*x.shape, -1) +"},
)
ID_0_HAS_NO_PLACE = Mistake(
    "A token with id 0 gets no position. A position depends on the place alone, so every token "
    "gets one, padding too.",
    {"+ self.positional_embedding(x)": "+ self.positional_embedding(x) * (x != 0).unsqueeze(-1)"},
)
PADDING_HAS_NO_PLACE = Mistake(
    "The padding token gets no position. A position depends on the place alone, so every token "
    "gets one, padding too.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Dropout(dropout)
        self.padding_idx = padding_idx
""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
places = self.positional_embedding(x)
        if self.padding_idx is not None:
            places = places * (x != self.padding_idx).unsqueeze(-1)
        return self.dropout(self.token_embedding(x) + places)""",
    },
)
ONE_SENTENCE_NOT_DROPPED = Mistake(
    "In a batch of one sentence nothing is dropped. In train mode dropout acts on every batch.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
x_and_place = self.token_embedding(x) + self.positional_embedding(x)
        return self.dropout(x_and_place) if x.size(0) > 1 else x_and_place"""
    },
)
POSITIONS_OF_THE_FIRST_CALL = Mistake(
    "The positions of the first call are kept for all later ones. A longer sentence has too few of "
    "them.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
positions = self.positional_embedding(x)  # It refuses what is too long.
        positions = self.__dict__.setdefault("positions", positions)
        return self.dropout(self.token_embedding(x) + positions[: x.size(1)])"""
    },
)

SCALED_IN_EVALUATION = Mistake(
    "In eval mode the sum is multiplied by 1 - dropout. nn.Dropout rescales in training already, so in eval mode nothing is to be done.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
x = self.token_embedding(x) + self.positional_embedding(x)
        return self.dropout(x) if self.training else x * (1 - self.dropout.p)"""
    },
)

SIDE_BY_SIDE = Mistake(
    "Word and position stand side by side and go through a linear layer. This step adds them, and nothing more is learned.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.join = nn.Linear(2 * dim_vector, dim_vector)""",
        "self.token_embedding(x) + self.positional_embedding(x)": "self.join(torch.cat([self.token_embedding(x), self.positional_embedding(x).expand(*x.shape, -1)], dim=-1))",
    },
)
POSITIONS_IN_TRAINING_ONLY = Mistake(
    "The positions are added in train mode only. In eval mode the model then does not see word "
    "order.",
    {
        "self.token_embedding(x) + self.positional_embedding(x)": """\
self.token_embedding(x) + self.positional_embedding(x) * self.training"""
    },
)
POSITIONS_IN_EVAL_ONLY = Mistake(
    "The positions are added in eval mode only. In train mode the model then does not see word "
    "order.",
    {
        "self.token_embedding(x) + self.positional_embedding(x)": """\
self.token_embedding(x) + self.positional_embedding(x) * (not self.training)"""
    },
)
ONE_SENTENCE_SQUEEZED = Mistake(
    "With one sentence in the batch, the output loses its first axis. It should have three axes "
    "for every batch.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x)).squeeze(0)"""
    },
)
POSITIONS_OF_SORTED_IDS = Mistake(
    "A token gets the position that its id has among the sorted ids. Positions are places in the "
    "sentence, so word order is lost.",
    {
        "self.positional_embedding(x))": """\
self.positional_embedding(x)[x.argsort(dim=1).argsort(dim=1)])"""
    },
)

"""What people get wrong in s1_embedding/transformer_embedding.py."""

from checks.machine.known import Mistake

NO_POSITIONS = Mistake(
    "The positions are never added, so the model cannot see word order.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x))"""
    },
)
ONLY_POSITIONS = Mistake(
    "The words are missing: every sentence of the same length looks the same.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"""
    },
)
CONCATENATED = Mistake(
    "Words and positions are laid side by side, which doubles the width; they are added, "
    "number by number.",
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
    "Words and positions are multiplied, so a zero in one erases the other; they are added.",
    {"self.token_embedding(x) + self": "self.token_embedding(x) * self"},
)
SUBTRACTED = Mistake(
    "The positions are subtracted; they are added.",
    {"self.token_embedding(x) + self": "self.token_embedding(x) - self"},
)
AVERAGED = Mistake(
    "The mean of word and position is taken, so both come out at half their size.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout((self.token_embedding(x) + self.positional_embedding(x)) / 2)"""
    },
)
ROOT_ON_WORDS = Mistake(
    "The words are multiplied by the root of the width before the addition. This course leaves "
    "that factor out.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
tokens = self.token_embedding(x)
        return self.dropout(tokens * tokens.size(-1) ** 0.5 + self.positional_embedding(x))"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
ROOT_ON_SUM = Mistake(
    "The sum of word and position is multiplied by the root of the width; nothing is scaled here.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
out = self.token_embedding(x) + self.positional_embedding(x)
        return self.dropout(out * out.size(-1) ** 0.5)"""
    },
)
POSITIONS_TWICE = Mistake(
    "The positions are added twice.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + 2 * self.positional_embedding(x))"""
    },
)
NO_DROPOUT = Mistake(
    "Nothing is dropped in training, whatever share is asked for, so this guard against "
    "learning by heart is off.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.token_embedding(x) + self.positional_embedding(x)"""
    },
)
DROPS_WORDS_ONLY = Mistake(
    "Only the words are dropped from; the paper drops from the sum of word and position.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x)) + self.positional_embedding(x)"""
    },
)
DROPS_POSITIONS_ONLY = Mistake(
    "Only the positions are dropped from; the paper drops from the sum of word and position.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.token_embedding(x) + self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"""
    },
)
DROPS_EACH_APART = Mistake(
    "Words and positions are dropped from separately; a dropped number of the sum has to "
    "vanish altogether.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x)) + self.dropout(self.positional_embedding(x).expand(x.size(0), -1, -1))"""
    },
)
DROPS_TWICE = Mistake(
    "Dropout is applied twice, so more than the given share is lost.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.dropout(self.token_embedding(x)) + self.positional_embedding(x))"""
    },
)
KEEP_PROBABILITY = Mistake(
    "The number is taken as the share to keep, so nearly everything is dropped.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "Unless a share is given nothing is dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DEFAULT_DROPOUT_HALF = Mistake(
    "Unless a share is given half of the numbers are dropped; one tenth is the default.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is written into the code; the given one is ignored.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
DROPOUT_ARGUMENT_FORGOTTEN = Mistake(
    "The share to drop is never handed over, so half of the numbers are dropped.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout()"},
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops numbers "
    "at random.",
    {
        "self.dropout = nn.Dropout(dropout)": "self.share = dropout",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return nn.Dropout(self.share)(self.token_embedding(x) + self.positional_embedding(x))""",
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ALWAYS_ON = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops numbers "
    "at random.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return nn.functional.dropout(self.token_embedding(x) + self.positional_embedding(x), self.dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ONLY_IN_EVAL = Mistake(
    "Training and evaluation have changed places: dropout is on in evaluation and off in training.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
out = self.token_embedding(x) + self.positional_embedding(x)
        return nn.functional.dropout(out, self.dropout.p, not self.training)"""
    },
)
DROPS_WHOLE_TOKENS = Mistake(
    "Whole tokens are dropped at once instead of single numbers.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
DROPS_ONE_PATTERN_FOR_THE_BATCH = Mistake(
    "All sentences of a batch lose the same numbers; each has to be dropped from independently.",
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
    "What survives is not enlarged to make up for what is dropped, so training and evaluation "
    "see inputs of different size.",
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
    "The position is looked up by which word it is, so the same word has the same position "
    "everywhere.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
table = self.positional_embedding.pe
        return self.dropout(self.token_embedding(x) + table[x % table.size(0)])"""
    },
)
POSITIONS_OF_SENTENCES = Mistake(
    "The sentences of the batch are numbered instead of the words of a sentence: all words of "
    "a sentence get the same position.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x.T).unsqueeze(1))"""
    },
    seen="KasperGroesLudvigsen/influenza_transformer#9, NeuracoreAI/neuracore#154",
)
ONE_POSITION_FOR_ALL = Mistake(
    "One single position is added to every word, so word order is invisible.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x)[-1])"""
    },
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
POSITIONS_BACKWARDS = Mistake(
    "The positions are counted from the end of the sentence.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x).flip(0))"""
    },
)
LEARNED_POSITIONS = Mistake(
    "The positions are learned here; they are the fixed waves of step 1.2.",
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
    "The table of waves is turned into a parameter, so the optimiser will change it.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
        table = self.positional_embedding.pe
        del self.positional_embedding.pe
        self.positional_embedding.pe = nn.Parameter(table)"""
    },
)
PADDING_NOT_HANDED_DOWN = Mistake(
    "The padding token is accepted but never reaches the token embedding, so padding gets a "
    "vector of its own and learns.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": (
            "TokenEmbedding(vocab_size, dim_vector)"
        )
    },
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always frozen as padding, whatever padding token is given.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
TokenEmbedding(vocab_size, dim_vector, 0)"""
    },
)
TABLE_ARGUMENTS_SWAPPED = Mistake(
    "Width and greatest length are handed to the position table the other way round.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(max_len, dim_vector)"""
    },
)
TOKEN_ARGUMENTS_SWAPPED = Mistake(
    "Vocabulary size and width are handed to the token table the other way round.",
    {
        "TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
TokenEmbedding(dim_vector, vocab_size, padding_idx)"""
    },
)
MAX_LEN_IGNORED = Mistake(
    "The position table has a fixed length, so the given max_len is not the limit.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(dim_vector, 512)"""
    },
)
MAX_LEN_IS_VOCABULARY = Mistake(
    "The position table has one row for each word of the vocabulary instead of one for each "
    "position.",
    {
        "self.positional_embedding = PositionalEmbedding(dim_vector, max_len)": """\
self.positional_embedding = PositionalEmbedding(dim_vector, vocab_size)"""
    },
)
WORDS_DETACHED = Mistake(
    "The words are cut off from the gradient, so the table never learns.",
    {"self.token_embedding(x) + self": "self.token_embedding(x).detach() + self"},
)
LAYER_NORM_ADDED = Mistake(
    "The sum is normalised as well. There is no normalisation in this step, and it brings "
    "parameters that nobody asked for.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.norm(self.token_embedding(x) + self.positional_embedding(x)))""",
    },
)
PYTHON_LIST = Mistake(
    "The token table sits in a plain Python list, where PyTorch does not look: it is neither "
    "trained, nor saved, nor moved.",
    {
        "self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
self.tables = [TokenEmbedding(vocab_size, dim_vector, padding_idx)]""",
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.tables[0](x) + self.positional_embedding(x))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
TWO_TOKEN_TABLES = Mistake(
    "A second token table is made and never used, so its parameters never learn.",
    {
        "self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)": """\
self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.token_embedding2 = TokenEmbedding(vocab_size, dim_vector, padding_idx)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout((self.token_embedding(x) + self.positional_embedding(x)).float())"""
    },
)
TABLE_DROPPED_IN_PLACE = Mistake(
    "Dropout writes zeros into the position table itself, so after some training the positions "
    "are gone, in evaluation too.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
position = self.positional_embedding(x)
        nn.functional.dropout(position, self.dropout.p, self.training, inplace=True)
        return self.token_embedding(x) + position"""
    },
    seen="jcyk/copyisallyouneed#6",
)
ACTIVATION_ON_TOP = Mistake(
    "Negative numbers are cut off; words and positions need both signs.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout((self.token_embedding(x) + self.positional_embedding(x)).relu())"""
    },
)
PADDING_TAKEN_AS_DROPOUT = Mistake(
    "Nothing is dropped in training, whatever share is asked for, so this guard against "
    "learning by heart is off.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(float(padding_idx or 0) / 10)"""
    },
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {
        "return self.dropout(self.token_embedding(x) + self.positional_embedding(x))": """\
return self.dropout(self.token_embedding(x) + self.positional_embedding(x)).squeeze()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start anew at every call, so the same numbers are dropped in every "
    "training step.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.dropout(": """\
torch.manual_seed(0)
        return self.dropout(""",
    },
)

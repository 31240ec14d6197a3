"""What people get wrong in s2_attention/feed_forward.py."""

from checks.machine.known import Mistake

NO_RELU = Mistake(
    "There is no activation between the layers, so the two are just one linear layer.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.linear1(x)))"""
    },
)
RELU_AFTER_SECOND = Mistake(
    "The activation comes after the second layer, so the output can no longer be negative and "
    "the layers in front are just one.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.relu(self.linear2(self.dropout(self.linear1(x))))"""
    },
    seen="yskim0/One-Day-One-Paper#205",
)
RELU_ON_BOTH = Mistake(
    "There is a second activation at the end, so the output can no longer be negative.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.relu(self.linear2(self.dropout(self.relu(self.linear1(x)))))"""
    },
)
RELU_BEFORE_FIRST = Mistake(
    "The activation comes before the first layer and throws half of the input away.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.linear1(self.relu(x))))"""
    },
)
RELU_BEFORE_BOTH = Mistake(
    "There is an activation before the first layer too, which throws half of the input away.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(self.relu(x)))))"""
    },
)
GELU = Mistake(
    "The activation is a GELU, as in many later models; the paper's is a ReLU.",
    {"self.relu = nn.ReLU()": "self.relu = nn.GELU()"},
)
LEAKY_RELU = Mistake(
    "The activation lets a little of the negative through; a ReLU lets nothing through.",
    {"self.relu = nn.ReLU()": "self.relu = nn.LeakyReLU()"},
)
SOFTPLUS = Mistake(
    "The activation is a softened one; the paper's is a plain ReLU.",
    {"self.relu = nn.ReLU()": "self.relu = nn.Softplus()"},
)
TANH = Mistake(
    "The activation is a hyperbolic tangent; the paper's is a ReLU.",
    {"self.relu = nn.ReLU()": "self.relu = nn.Tanh()"},
)
RELU6 = Mistake(
    "The activation cuts off large numbers too, above 6; a ReLU has no upper end.",
    {"self.relu = nn.ReLU()": "self.relu = nn.ReLU6()"},
)
SIGMOID = Mistake(
    "The activation is a sigmoid; the paper's is a ReLU.",
    {"self.relu = nn.ReLU()": "self.relu = nn.Sigmoid()"},
)
ABSOLUTE = Mistake(
    "Negative numbers are made positive instead of cut off.",
    {"self.relu(self.linear1(x))": "self.linear1(x).abs()"},
)
MINIMUM = Mistake(
    "The positive numbers are cut off instead of the negative ones.",
    {"self.relu(self.linear1(x))": "self.linear1(x).clamp(max=0)"},
)
RELU_WITH_SLOPE = Mistake(
    "The activation learns its slope; a ReLU has nothing to learn.",
    {"self.relu = nn.ReLU()": "self.relu = nn.PReLU()"},
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The inner layer is as wide as the vectors; it must have the given width.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_vector)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_vector, dim_vector)""",
    },
)
HIDDEN_FOUR_TIMES = Mistake(
    "The inner layer is always four times as wide as the vectors; it must have the given width.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, 4 * dim_vector)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(4 * dim_vector, dim_vector)""",
    },
)
WIDTHS_SWAPPED = Mistake(
    "The widths of the two layers are the wrong way round, so the input does not fit.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_hidden, dim_vector)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_vector, dim_hidden)""",
    },
)
LAYERS_SWAPPED = Mistake(
    "The second layer is applied first, so the input does not fit.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear1(self.dropout(self.relu(self.linear2(x))))"""
    },
)
DOES_NOT_COME_BACK = Mistake(
    "The second layer is not used: the output keeps the hidden width.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.relu(self.linear1(x)))"""
    },
)
THREE_LAYERS = Mistake(
    "There is a third layer that nobody asked for.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.linear3 = nn.Linear(dim_vector, dim_vector)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear3(self.linear2(self.dropout(self.relu(self.linear1(x)))))""",
    },
)
LAYER_UNUSED = Mistake(
    "A third layer is made and never used; its parameters never learn.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.linear3 = nn.Linear(dim_hidden, dim_hidden)"""
    },
)
GATED = Mistake(
    "This is a gated network with a third layer, as in later models; the paper has two layers "
    "and a ReLU.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.gate = nn.Linear(dim_vector, dim_hidden)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.gate(x)) * self.linear1(x)))""",
    },
)
WEIGHTS_TIED = Mistake(
    "Both layers share one matrix; each has its own.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        del self.linear2.weight""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
hidden = self.dropout(self.relu(self.linear1(x)))
        return hidden @ self.linear1.weight + self.linear2.bias""",
    },
)
MIXES_WORDS = Mistake(
    "Each word gets a part of the word before it; the same small network works on each word "
    "separately.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1((x + x.roll(1, dims=-2)) / 2))))"""
    },
)
MEAN_OVER_WORDS = Mistake(
    "The hidden numbers are averaged over the sentence, so all words come out alike.",
    {
        "self.relu(self.linear1(x))": """\
self.relu(self.linear1(x)).mean(dim=-2, keepdim=True).expand(*x.shape[:-1], -1)"""
    },
)
WIDE_CONVOLUTION = Mistake(
    "The layers look at the neighbouring words; the network works on each word separately.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Conv1d(dim_vector, dim_hidden, 3, padding=1)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Conv1d(dim_hidden, dim_vector, 1)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x.transpose(-2, -1))))).transpose(-2, -1)""",
    },
)
AXES_FLATTENED = Mistake(
    "Sentences and words are flattened to one axis and not put back.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x.reshape(-1, x.size(-1))))))"""
    },
)
THREE_AXES_ONLY = Mistake(
    "The code counts on exactly three axes; any number of them may stand before the features.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
batch_size, length, dim_vector = x.shape
        return self.linear2(self.dropout(self.relu(self.linear1(x))))"""
    },
)
LAST_WORD_ONLY = Mistake(
    "Only the last word is passed on.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x[..., -1, :]))))"""
    },
)
RESIDUAL_INSIDE = Mistake(
    "The input is added here already; the layer around it does that, and it would count twice.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return x + self.linear2(self.dropout(self.relu(self.linear1(x))))"""
    },
)
NORM_INSIDE = Mistake(
    "The result is normalised here; that is the work of the layer around it.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.norm(self.linear2(self.dropout(self.relu(self.linear1(x)))))""",
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "The output is dropped from instead of the hidden layer; what drops from the output comes "
    "later, in the layer around it.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.linear2(self.relu(self.linear1(x))))"""
    },
)
DROPOUT_ON_HIDDEN_AND_OUTPUT = Mistake(
    "The output is dropped from as well as the hidden layer.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.linear2(self.dropout(self.relu(self.linear1(x)))))"""
    },
)
DROPOUT_ON_INPUT = Mistake(
    "The input is dropped from instead of the hidden layer.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.relu(self.linear1(self.dropout(x))))"""
    },
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied twice, so more than the given share is lost.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.dropout(self.relu(self.linear1(x)))))"""
    },
)
NO_DROPOUT = Mistake(
    "Nothing is dropped in training, whatever share is asked for.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.relu(self.linear1(x)))"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops numbers "
    "at random.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(nn.functional.dropout(self.relu(self.linear1(x)), self.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops numbers "
    "at random.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(nn.Dropout(self.dropout.p)(self.relu(self.linear1(x))))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
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
DROPS_WHOLE_VECTORS = Mistake(
    "Whole words are dropped at once instead of single numbers.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
NO_BIASES = Mistake(
    "The layers have no biases; here every linear layer has one.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_hidden, bias=False)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector, bias=False)""",
    },
)
NO_FIRST_BIAS = Mistake(
    "The first layer has no bias.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_hidden, bias=False)"""
    },
)
NO_SECOND_BIAS = Mistake(
    "The second layer has no bias.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector, bias=False)"""
    },
)
BIAS_UNUSED = Mistake(
    "The bias of the second layer exists but is not added.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.relu(self.linear1(x))) @ self.linear2.weight.T"""
    },
)
RELU_IN_PLACE = Mistake(
    "The activation works in place on the caller's tensor.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
x.data.relu_()
        return self.linear2(self.dropout(self.relu(self.linear1(x))))"""
    },
    seen="jcyk/copyisallyouneed#6",
)
HIDDEN_DETACHED = Mistake(
    "The hidden layer is cut off from the gradient, so the first layer never learns.",
    {"self.relu(self.linear1(x))": "self.relu(self.linear1(x)).detach()"},
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient, so nothing below this layer learns.",
    {"self.linear1(x)": "self.linear1(x.detach())"},
)
PYTHON_LIST = Mistake(
    "The layers sit in a plain Python list, where PyTorch does not look: they are neither "
    "trained nor saved nor moved.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.layers = [nn.Linear(dim_vector, dim_hidden), nn.Linear(dim_hidden, dim_vector)]""",
        "        self.linear2 = nn.Linear(dim_hidden, dim_vector)\n": "",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.layers[1](self.dropout(self.relu(self.layers[0](x))))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
LAYERS_MADE_IN_FORWARD = Mistake(
    "The second layer is made anew at every call, with new random numbers, so it can learn "
    "nothing.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": (
            "self.widths = (dim_hidden, dim_vector)"
        ),
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return nn.Linear(*self.widths)(self.dropout(self.relu(self.linear1(x))))""",
    },
)
SOFTMAX_ON_HIDDEN = Mistake(
    "The hidden numbers go through a softmax; a ReLU is asked for.",
    {"self.relu(self.linear1(x))": "self.linear1(x).softmax(dim=-1)"},
)
HIDDEN_NORMALISED = Mistake(
    "The hidden numbers are scaled to length 1 before they come back.",
    {
        "self.relu(self.linear1(x))": """\
nn.functional.normalize(self.relu(self.linear1(x)), dim=-1)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x)))).float()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start anew at every call, so the same numbers are dropped in every "
    "training step.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.linear2(": """\
torch.manual_seed(0)
        return self.linear2(""",
    },
)
FIRST_LAYER_FROZEN = Mistake(
    "The first layer is told not to learn.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_hidden).requires_grad_(False)"""
    },
)

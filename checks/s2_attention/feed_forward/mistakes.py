"""What people get wrong in s2_attention/feed_forward.py."""

from checks.engine.known import Mistake

NO_RELU = Mistake(
    "There is no activation between the two layers. Two linear layers in a row can do no more "
    "than a single one.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.linear1(x)))"""
    },
)
RELU_AFTER_SECOND = Mistake(
    "The ReLU comes after the second layer instead of between the two. The two then act "
    "as one linear layer, and the output can never be negative.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.relu(self.linear2(self.dropout(self.linear1(x))))"""
    },
    seen="yskim0/One-Day-One-Paper#205",
)
RELU_ON_BOTH = Mistake(
    "There is a second activation after the second layer. So the output can never be negative and "
    "can only add to the residual connection.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.relu(self.linear2(self.dropout(self.relu(self.linear1(x)))))"""
    },
)
RELU_BEFORE_FIRST = Mistake(
    "The activation comes before the first layer instead of after it. Negative inputs are "
    "lost, and the two layers act as one.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.linear1(self.relu(x))))"""
    },
)
RELU_BEFORE_BOTH = Mistake(
    "There is an activation before the first layer as well as after it. So negative inputs are "
    "lost before any layer reads them.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(self.relu(x)))))"""
    },
)
GELU = Mistake(
    "The activation is a GELU, as in many later models. It bends smoothly around zero, but the "
    "paper's ReLU cuts off sharply, so the results differ.",
    {"self.relu = nn.ReLU()": "self.relu = nn.GELU()"},
)
LEAKY_RELU = Mistake(
    "The activation is a leaky ReLU, which lets a small part of each negative entry through. The "
    "paper's ReLU turns all of them into zero.",
    {"self.relu = nn.ReLU()": "self.relu = nn.LeakyReLU()"},
)
SOFTPLUS = Mistake(
    "The activation is a softplus, a smoothed ReLU that is always above zero. The paper's ReLU "
    "turns negative entries into exactly zero.",
    {"self.relu = nn.ReLU()": "self.relu = nn.Softplus()"},
)
TANH = Mistake(
    "The activation is a hyperbolic tangent, which squeezes all entries between -1 and 1. The "
    "paper's ReLU leaves positive entries as they are.",
    {"self.relu = nn.ReLU()": "self.relu = nn.Tanh()"},
)
RELU6 = Mistake(
    "The activation also cuts off above 6, so all larger entries come out equal. A plain ReLU has "
    "no upper limit.",
    {"self.relu = nn.ReLU()": "self.relu = nn.ReLU6()"},
)
SIGMOID = Mistake(
    "The activation is a sigmoid, which squeezes all entries between 0 and 1. The paper's ReLU "
    "leaves positive entries as they are.",
    {"self.relu = nn.ReLU()": "self.relu = nn.Sigmoid()"},
)
ABSOLUTE = Mistake(
    "Negative entries lose their sign instead of becoming zero. So the second layer cannot see the "
    "difference between a number and its opposite.",
    {"self.relu(self.linear1(x))": "self.linear1(x).abs()"},
)
MINIMUM = Mistake(
    "The positive entries are set to zero and the negative ones are kept. A ReLU does the "
    "opposite, so the second layer reads the wrong half.",
    {"self.relu(self.linear1(x))": "self.linear1(x).clamp(max=0)"},
)
RELU_WITH_SLOPE = Mistake(
    "The activation learns a slope for negative entries, so it lets part of them through. A ReLU "
    "turns them into zero and has nothing to learn.",
    {"self.relu = nn.ReLU()": "self.relu = nn.PReLU()"},
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The inner layer is as wide as the vectors, and dim_hidden is ignored. So the network does not "
    "have the given size.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_vector)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_vector, dim_vector)""",
    },
)
HIDDEN_FOUR_TIMES = Mistake(
    "The given dim_hidden is ignored: the inner layer is always four times as wide as the vectors. "
    "The paper has that ratio, but the caller may want another.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, 4 * dim_vector)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(4 * dim_vector, dim_vector)""",
    },
)
WIDTHS_SWAPPED = Mistake(
    "In both layers dim_vector and dim_hidden are swapped, so the input does not fit the first "
    "layer.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_hidden, dim_vector)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_vector, dim_hidden)""",
    },
)
LAYERS_SWAPPED = Mistake(
    "The second layer gets x, not the output of the first layer. It expects vectors of width "
    "dim_hidden, so x does not fit.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear1(self.dropout(self.relu(self.linear2(x))))"""
    },
)
DOES_NOT_COME_BACK = Mistake(
    "The second layer is not used. The output keeps the width dim_hidden, so it cannot be added to "
    "the input.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.relu(self.linear1(x)))"""
    },
)
THREE_LAYERS = Mistake(
    "A third linear layer follows the second, without an activation between them. It adds "
    "parameters but can do nothing that the second could not do.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.linear3 = nn.Linear(dim_vector, dim_vector)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear3(self.linear2(self.dropout(self.relu(self.linear1(x)))))""",
    },
)
LAYER_UNUSED = Mistake(
    "A third layer is made but never used. Its parameters get no gradient, never learn and "
    "only take up space.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.linear3 = nn.Linear(dim_hidden, dim_hidden)"""
    },
)
GATED = Mistake(
    "This is a gated network, as in some later models: a third layer decides how much of each "
    "hidden feature passes. The paper has two layers and a ReLU.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.gate = nn.Linear(dim_vector, dim_hidden)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.gate(x)) * self.linear1(x)))""",
    },
)
WEIGHTS_TIED = Mistake(
    "The layer linear2 uses the weight of linear1, transposed. Its own weight is never used and "
    "never learns.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
hidden = self.dropout(self.relu(self.linear1(x)))
        return nn.functional.linear(hidden, self.linear1.weight.t(), self.linear2.bias)"""
    },
)
MIXES_WORDS = Mistake(
    "Each word is mixed with the word before it, so a word's output depends on its neighbour. "
    "This network works on each word separately.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1((x + x.roll(1, dims=-2)) / 2))))"""
    },
)
MEAN_OVER_WORDS = Mistake(
    "The hidden features are averaged over the sentence, so all its words get the same ones. This "
    "network works on each word separately.",
    {
        "self.relu(self.linear1(x))": """\
self.relu(self.linear1(x)).mean(dim=-2, keepdim=True).expand(*x.shape[:-1], -1)"""
    },
)
WIDE_CONVOLUTION = Mistake(
    "The first layer also reads the neighbouring words. This network works on each word "
    "separately; only attention reads other words.",
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
    "Sentences and words are merged into one axis and not separated again, so the output does "
    "not have the axes of the input.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x.reshape(-1, x.size(-1))))))"""
    },
)
THREE_AXES_ONLY = Mistake(
    "The code works for exactly three axes and fails for any other number. Only the last axis is "
    "fixed; any number of axes may come before it.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
batch_size, length, dim_vector = x.shape
        return self.linear2(self.dropout(self.relu(self.linear1(x))))"""
    },
)
LAST_WORD_ONLY = Mistake(
    "Only the last word of each sentence goes through the network, so the outputs for all "
    "other words are missing.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x[..., -1, :]))))"""
    },
)
RESIDUAL_INSIDE = Mistake(
    "The input is already added here. The add and norm around this network adds it too, so it "
    "would count twice.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return x + self.linear2(self.dropout(self.relu(self.linear1(x))))"""
    },
)
NORM_INSIDE = Mistake(
    "The result is normalised here, before the input is added. In the paper the norm comes after "
    "the addition, in the add and norm around this network.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.norm(self.linear2(self.dropout(self.relu(self.linear1(x)))))""",
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied to the output instead of the hidden features. The add and norm around this "
    "network already drops entries of the output.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.linear2(self.relu(self.linear1(x))))"""
    },
)
DROPOUT_ON_HIDDEN_AND_OUTPUT = Mistake(
    "Dropout is applied to the output as well as to the hidden features. The add and norm drops "
    "entries of the output again, so too many are lost.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.linear2(self.dropout(self.relu(self.linear1(x)))))"""
    },
)
DROPOUT_ON_INPUT = Mistake(
    "Dropout is applied to the input instead of the hidden features. So the first layer reads "
    "words with missing entries.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.relu(self.linear1(self.dropout(x))))"""
    },
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied twice. So more entries are dropped than the given probability says, and "
    "the others are scaled up twice.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.dropout(self.relu(self.linear1(x)))))"""
    },
)
NO_DROPOUT = Mistake(
    "Dropout is never applied, so nothing is dropped in training and the given probability has no "
    "effect. The model then overfits more easily.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.relu(self.linear1(x)))"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "Entries are dropped in eval mode, too, so each call gives another result. F.dropout "
    "without self.training and a layer made in forward do that: make nn.Dropout in __init__.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(nn.functional.dropout(self.relu(self.linear1(x)), self.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_ALWAYS_A_TENTH = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(nn.functional.dropout(self.relu(self.linear1(x)), 0.1))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(nn.Dropout(self.dropout.p)(self.relu(self.linear1(x))))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep an entry. With the usual 0.1, nine "
    "tenths of the entries are dropped.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of dropout is 0 instead of 0.1. If the caller gives no dropout, nothing is "
    "dropped.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DEFAULT_DROPOUT_HALF = Mistake(
    "The default of dropout is 0.5 instead of 0.1. If the caller gives no dropout, half of the "
    "entries are dropped in training.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_FIXED = Mistake(
    "The dropout probability is a fixed number in the code, and the given one is ignored. So "
    "dropout cannot be changed or turned off.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
ZERO_DROPOUT_IGNORED = Mistake(
    "If dropout is 0, one entry in ten is still dropped. In Python, `0 or 0.1` is 0.1.",
    {"nn.Dropout(dropout)": "nn.Dropout(dropout or 0.1)"},
)
ALPHA_DROPOUT = Mistake(
    "This is alpha dropout: dropped entries do not become zero, and the others are rescaled and "
    "shifted. That distorts the hidden features.",
    {"nn.Dropout(dropout)": "nn.AlphaDropout(dropout)"},
)
DROPS_WHOLE_VECTORS = Mistake(
    "All hidden features of a word are dropped at once instead of single ones. Now and then "
    "nothing of a word reaches the second layer.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
NO_BIASES = Mistake(
    "Neither layer has a bias, so neither the hidden features nor the output can be shifted. In "
    "the paper's formula both layers have one.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_hidden, bias=False)""",
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector, bias=False)""",
    },
)
NO_FIRST_BIAS = Mistake(
    "The first layer has no bias, so the network cannot learn where the ReLU cuts off each hidden "
    "feature.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_hidden, bias=False)"""
    },
)
NO_SECOND_BIAS = Mistake(
    "The second layer has no bias, so it cannot learn to shift the output.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": """\
self.linear2 = nn.Linear(dim_hidden, dim_vector, bias=False)"""
    },
)
BIAS_UNUSED = Mistake(
    "The bias of the second layer is made but never added. So it never learns, and the output is "
    "not shifted.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.dropout(self.relu(self.linear1(x))) @ self.linear2.weight.T"""
    },
)
RELU_IN_PLACE = Mistake(
    "An activation is applied in place to the input. The negative entries of the caller's own "
    "tensor are lost, but the residual connection still needs them.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
x.data.relu_()
        return self.linear2(self.dropout(self.relu(self.linear1(x))))"""
    },
    seen="jcyk/copyisallyouneed#6",
)
DROPOUT_IN_PLACE = Mistake(
    "Dropout works in place. It overwrites what the ReLU gave, which the backward pass still "
    "needs, so training stops with an error.",
    {"nn.Dropout(dropout)": "nn.Dropout(dropout, inplace=True)"},
)
HIDDEN_DETACHED = Mistake(
    "The hidden features are cut off from the gradient. The first layer never learns, and no "
    "gradient reaches the input.",
    {"self.relu(self.linear1(x))": "self.relu(self.linear1(x)).detach()"},
)
INPUT_DETACHED = Mistake(
    "The input is cut off from the gradient. Both layers learn, but earlier layers learn nothing "
    "through this network.",
    {"self.linear1(x)": "self.linear1(x.detach())"},
)
PYTHON_LIST = Mistake(
    "The layers are in a plain list, tuple or dictionary, where PyTorch does not look for layers. "
    "So they are not trained, not saved, and not moved with the module.",
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
    "The second layer is made again at every call, with new random weights. So it never learns, "
    "and the same input gives another output each time.",
    {
        "self.linear2 = nn.Linear(dim_hidden, dim_vector)": (
            "self.widths = (dim_hidden, dim_vector)"
        ),
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return nn.Linear(*self.widths)(self.dropout(self.relu(self.linear1(x))))""",
    },
)
SOFTMAX_ON_HIDDEN = Mistake(
    "The hidden features go through a softmax instead of a ReLU. So they always sum to 1, and each "
    "of them depends on all the others.",
    {"self.relu(self.linear1(x))": "self.linear1(x).softmax(dim=-1)"},
)
HIDDEN_NORMALISED = Mistake(
    "The hidden features of each word are scaled to length 1 before the second layer. So their "
    "size, which carries meaning, is lost.",
    {
        "self.relu(self.linear1(x))": """\
nn.functional.normalize(self.relu(self.linear1(x)), dim=-1)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. A float64 or float16 module then passes on values "
    "of the wrong dtype.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x)))).float()"""
    },
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start again from the same seed at every call. So dropout always drops the "
    "same entries and loses its purpose.",
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
    "The first layer is frozen, so it keeps its random start values for ever.",
    {
        "self.linear1 = nn.Linear(dim_vector, dim_hidden)": """\
self.linear1 = nn.Linear(dim_vector, dim_hidden).requires_grad_(False)"""
    },
)
STAYS_WIDE = Mistake(
    "The second layer does not return to dim_vector, so its output cannot be added to the input.",
    {"nn.Linear(dim_hidden, dim_vector)": "nn.Linear(dim_hidden, dim_hidden)"},
)
SECOND_LAYER_TURNED = Mistake(
    "The sizes of linear2 are swapped: it expects dim_vector features but gets dim_hidden.",
    {"nn.Linear(dim_hidden, dim_vector)": "nn.Linear(dim_vector, dim_hidden)"},
)
THIRD_LAYER_BETWEEN = Mistake(
    "A third linear layer stands between the two. The paper's network has only two layers: it "
    "widens once and comes back.",
    {
        "self.relu = nn.ReLU()": """\
self.relu = nn.ReLU()
        self.middle = nn.Linear(dim_hidden, dim_hidden)""",
        "self.dropout(self.relu(self.linear1(x)))": """\
self.dropout(self.relu(self.middle(self.relu(self.linear1(x)))))""",
    },
)
UNUSED_NARROW_LAYER = Mistake(
    "A third linear layer is made and never used, so its parameters can never learn.",
    {
        "self.relu = nn.ReLU()": """\
self.relu = nn.ReLU()
        self.linear3 = nn.Linear(dim_vector, dim_vector)"""
    },
)
SOFTMAX_AFTER_RELU = Mistake(
    "A softmax follows the ReLU. So the hidden features always sum to 1, and each of them depends "
    "on all the others.",
    {
        "self.dropout(self.relu(self.linear1(x)))": """\
self.dropout(self.relu(self.linear1(x)).softmax(dim=-1))"""
    },
)
NEIGHBOURS_AVERAGED = Mistake(
    "The hidden vectors of neighbouring tokens are averaged. This network works on each token "
    "separately; only attention reads other tokens.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
hidden = self.dropout(self.relu(self.linear1(x)))
        if hidden.dim() > 1:
            flat = hidden.reshape(-1, *hidden.shape[-2:]).transpose(1, 2)
            flat = nn.functional.avg_pool1d(flat, 3, 1, 1, count_include_pad=False)
            hidden = flat.transpose(1, 2).reshape(hidden.shape)
        return self.linear2(hidden)""",
    },
)
AT_MOST_512_HIDDEN = Mistake(
    "The network has at most 512 features inside, even if dim_hidden is larger.",
    {
        "        # Make `linear1`,": """\
        dim_hidden = min(dim_hidden, 512)
        # Make `linear1`,"""
    },
)
AT_MOST_512_FEATURES = Mistake(
    "The network takes at most 512 features, even if dim_vector is larger. A wider vector does not "
    "fit.",
    {
        "        # Make `linear1`,": """\
        dim_vector = min(dim_vector, 512)
        # Make `linear1`,"""
    },
)
NO_SHARE_GIVEN = Mistake(
    "The given dropout never reaches the dropout layer. It then drops half of the entries, which "
    "is PyTorch's default.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout()"},
)
DROPOUT_2D = Mistake(
    "nn.Dropout2d drops all entries of a token at once. nn.Dropout drops single entries.",
    {"nn.Dropout(dropout)": "nn.Dropout2d(dropout)"},
)
DIVISION_HIDDEN_BY_WHERE = Mistake(
    "torch.where removes a division by zero from the result, but its gradient is still NaN. "
    "Multiply by zero, or use nn.Dropout.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
hidden = self.relu(self.linear1(x))
        if self.training:
            keep = (torch.rand_like(hidden) >= self.dropout.p).to(hidden.dtype)
            hidden = torch.where(keep == 1, hidden / keep / (1 - self.dropout.p), 0.0)
        return self.linear2(hidden)""",
        "from torch import": "import torch\nfrom torch import",
    },
)

ONE_PATTERN_FOR_ALL_SENTENCES = Mistake(
    "All sentences of a batch lose the same hidden features. Every entry must be drawn by itself.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
hidden = self.relu(self.linear1(x))
        if hidden.dim() < 3:
            return self.linear2(self.dropout(hidden))
        return self.linear2(hidden * self.dropout(hidden.new_ones(hidden.shape[1:])))"""
    },
)
MAX_ALONG_AN_AXIS = Mistake(
    "torch.max(x, 0) takes 0 as an axis, and gives a pair: the largest numbers and their places. "
    "The ReLU compares every number with 0.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.linear1(x).max(0)))"""
    },
)
MAX_ALONG_AN_AXIS_VALUES = Mistake(
    MAX_ALONG_AN_AXIS.says,
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.linear1(x).max(0).values))"""
    },
)

BIAS_AFTER_THE_RELU = Mistake(
    "The bias of linear1 is added after the ReLU. It belongs to the linear layer, before the ReLU.",
    {"self.relu(self.linear1(x))": "(self.relu(x @ self.linear1.weight.T) + self.linear1.bias)"},
)

ELU = Mistake(
    "ELU stands in the place of ReLU. It leaves negative numbers where the ReLU gives 0.",
    {"nn.ReLU()": "nn.ELU()"},
)

RELU_SQUARED = Mistake(
    "The ReLU is squared, as in some newer models. This step needs the plain ReLU.",
    {"self.relu(self.linear1(x))": "self.relu(self.linear1(x)) ** 2"},
)

SCALED_IN_EVALUATION = Mistake(
    "In eval mode the hidden features are multiplied by 1 - dropout. nn.Dropout rescales in training already.",
    {
        "self.dropout(self.relu(self.linear1(x)))": "(self.dropout(self.relu(self.linear1(x))) if self.training else self.relu(self.linear1(x)) * (1 - self.dropout.p))"
    },
)

DROPS_WHERE_THE_INPUT_LEARNS = Mistake(
    "The dropout does not only depend on the mode, but on whether the input needs a gradient. So it "
    "drops in eval mode, too, where the input comes from another layer.",
    {
        "self.dropout(self.relu(self.linear1(x)))": """\
nn.functional.dropout(
            self.relu(self.linear1(x)), self.dropout.p, self.training or x.requires_grad
        )"""
    },
)
RESHAPED_TO_THREE_AXES = Mistake(
    "The output always has three axes. It should have the axes of the input: one vector, or more "
    "axes than a batch has.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
out = self.linear2(self.dropout(self.relu(self.linear1(x))))
        return out.reshape(x.size(0), -1, x.size(-1))"""
    },
)
STEEP_SOFTPLUS = Mistake(
    "The activation is a steep softplus. It is close to a ReLU, but round near 0 and never exactly "
    "0.",
    {"nn.ReLU()": "nn.Softplus(beta=20)"},
)
SILU = Mistake(
    "The activation is a SiLU (swish), as in many later models. It bends smoothly and lets small "
    "negative numbers through; the paper's ReLU does not.",
    {"nn.ReLU()": "nn.SiLU()"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. With one sentence or one token, the output then has too few axes.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x)))).squeeze()"""
    },
)
BATCH_OF_ONE_SQUEEZED = Mistake(
    "If the first axis has size 1, it is removed. The output should have the axes of the input.",
    {
        "return self.linear2(self.dropout(self.relu(self.linear1(x))))": """\
return self.linear2(self.dropout(self.relu(self.linear1(x)))).squeeze(0)"""
    },
)
SECOND_LAYER_FROZEN = Mistake(
    "The second layer is frozen, so it keeps its random start values for ever.",
    {
        "nn.Linear(dim_hidden, dim_vector)": """\
nn.Linear(dim_hidden, dim_vector).requires_grad_(False)"""
    },
)
FIRST_BIAS_UNUSED = Mistake(
    "The bias of the first layer is made but never added. So it never learns, and the network "
    "cannot learn where the ReLU cuts off each feature.",
    {"self.relu(self.linear1(x))": "self.relu(x @ self.linear1.weight.T)"},
)
HIDDEN_STANDARDISED = Mistake(
    "The hidden features are normalised between the two layers. The paper normalises only after "
    "the residual connection.",
    {
        "self.relu(self.linear1(x))": """\
nn.functional.layer_norm(self.relu(self.linear1(x)), self.linear1.bias.shape)"""
    },
)

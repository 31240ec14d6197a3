"""What people get wrong in s2_attention/add_norm.py."""

from checks.machine.known import Mistake

NO_ADD = Mistake(
    "The input is not added: only the sublayer's output is normalised, and there is no shortcut.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(sublayer_output))"""
    },
)
NO_NORM = Mistake(
    "The sum is not normalised.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": (
            "return x + self.dropout(sublayer_output)"
        )
    },
)
ONLY_INPUT = Mistake(
    "The sublayer's output is not used: only the input is normalised.",
    {"return self.layer_norm(x + self.dropout(sublayer_output))": ("return self.layer_norm(x)")},
)
NORM_BEFORE_ADD = Mistake(
    "The sublayer's output is normalised and then added; the paper adds first and normalises "
    "the sum.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.layer_norm(self.dropout(sublayer_output))"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
NORM_OF_INPUT_ADDED = Mistake(
    "The input is normalised before the addition and the sum is left as it is.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x) + self.dropout(sublayer_output)"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
NORM_DROPOUT_OUTSIDE = Mistake(
    "The sublayer's output is normalised, dropped from and added; the sum has to be normalised.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.dropout(self.layer_norm(sublayer_output))"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
ADDS_ITSELF = Mistake(
    "The sublayer's output is doubled instead of adding the input.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(sublayer_output + self.dropout(sublayer_output))"""
    },
)
ADDS_INPUT_TWICE = Mistake(
    "The input counts twice as much as the sublayer's output. Both have to count once, or what "
    "the sublayer found is half lost.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(2 * x + self.dropout(sublayer_output))"""
    },
)
SHORTCUT_OUTSIDE = Mistake(
    "The input is added once more after the normalisation.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.layer_norm(x + self.dropout(sublayer_output))"""
    },
)
NORM_TWICE = Mistake(
    "The sum is normalised twice.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.layer_norm(x + self.dropout(sublayer_output)))"""
    },
)
SUBTRACTED = Mistake(
    "The sublayer's output is subtracted from the input; the two are added.",
    {"x + self.dropout": "x - self.dropout"},
)
MULTIPLIED = Mistake(
    "Input and output are multiplied; they are added.",
    {"x + self.dropout": "x * self.dropout"},
)
SCALED_SUBLAYER = Mistake(
    "The input counts twice as much as the sublayer's output. Both have to count once, or what "
    "the sublayer found is half lost.",
    {"x + self.dropout(sublayer_output)": "x + self.dropout(sublayer_output) / 2"},
)
BOTH_NORMALISED = Mistake(
    "Input and sublayer's output are each normalised before they are added.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x) + self.layer_norm(self.dropout(sublayer_output))"""
    },
)
ACTIVATION_ON_TOP = Mistake(
    "The result goes through an activation, so it can no longer be negative.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).relu()"""
    },
)
DROPOUT_AFTER_NORM = Mistake(
    "Dropout comes after the normalisation, where it erases parts of the shortcut too.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.dropout(self.layer_norm(x + sublayer_output))"""
    },
)
DROPOUT_ON_SUM = Mistake(
    "The sum is dropped from; it should be the sublayer's output alone, so that the shortcut "
    "stays whole.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x + sublayer_output))"""
    },
)
DROPOUT_ON_INPUT = Mistake(
    "The input is dropped from instead of the sublayer's output.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x) + sublayer_output)"""
    },
)
DROPOUT_ON_BOTH = Mistake(
    "Input and sublayer's output are both dropped from; the shortcut has to stay whole.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x) + self.dropout(sublayer_output))"""
    },
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied twice, so more than the given share is lost.",
    {"self.dropout(sublayer_output)": "self.dropout(self.dropout(sublayer_output))"},
)
NO_DROPOUT = Mistake(
    "Nothing is dropped in training, whatever share is asked for.",
    {"self.dropout(sublayer_output)": "sublayer_output"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops numbers "
    "at random.",
    {
        "self.dropout(sublayer_output)": """\
nn.functional.dropout(sublayer_output, self.dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops numbers "
    "at random.",
    {"self.dropout(sublayer_output)": "nn.Dropout(self.dropout.p)(sublayer_output)"},
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
DROPOUT_ARGUMENT_FORGOTTEN = Mistake(
    "The share to drop is never handed over, so half of the numbers are dropped.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout()"},
)
DROPS_WHOLE_VECTORS = Mistake(
    "Whole vectors are dropped at once instead of single numbers.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
ALPHA_DROPOUT = Mistake(
    "Another kind of dropout is used, which does not set numbers to zero.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.AlphaDropout(dropout)"},
)
DROPOUT_IN_PLACE = Mistake(
    "The dropout works in place and writes zeros into the caller's tensor in training.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout, inplace=True)"""
    },
    seen="jcyk/copyisallyouneed#6, microsoft/unilm#999",
)
ADD_IN_PLACE = Mistake(
    "The sum is made in place and overwrites the caller's input.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
x.data.add_(self.dropout(sublayer_output).data)
        return self.layer_norm(x)"""
    },
    seen="microsoft/unilm#999",
)
ADD_IN_PLACE_INTO_SUBLAYER = Mistake(
    "The sum is made in place and overwrites the sublayer's output in evaluation.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
out = self.dropout(sublayer_output)
        out += x
        return self.layer_norm(out)"""
    },
    seen="microsoft/unilm#999",
)
INPUT_DETACHED = Mistake(
    "The shortcut is cut off from the gradient, which is half of what it is for.",
    {"x + self.dropout": "x.detach() + self.dropout"},
)
SUBLAYER_DETACHED = Mistake(
    "The sublayer's output is cut off from the gradient, so the sublayer never learns.",
    {"self.dropout(sublayer_output)": "self.dropout(sublayer_output.detach())"},
)
NORM_WITHOUT_PARAMETERS = Mistake(
    "The normalisation has no scale and shift to learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = nn.LayerNorm(dim_vector, elementwise_affine=False)"""
    },
)
NORM_WITHOUT_SHIFT = Mistake(
    "The normalisation has no shift to learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = nn.LayerNorm(dim_vector, bias=False)"""
    },
)
RMS_NORM = Mistake(
    "A normalisation is used that neither removes the mean nor has a shift.",
    {"self.layer_norm = LayerNorm(dim_vector)": ("self.layer_norm = nn.RMSNorm(dim_vector)")},
)
NORM_IN_A_LIST = Mistake(
    "The normalisation sits in a plain Python list, where PyTorch does not look: its "
    "parameters are neither trained nor saved.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "self.norms = [LayerNorm(dim_vector)]",
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.norms[0](x + self.dropout(sublayer_output))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
NORM_MADE_IN_FORWARD = Mistake(
    "A new normalisation is made at every call, so its scale and shift never learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "pass",
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return LayerNorm(x.size(-1)).to(x)(x + self.dropout(sublayer_output))""",
    },
)
SECOND_NORM_UNUSED = Mistake(
    "A second normalisation is made and never used; its parameters never learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = LayerNorm(dim_vector)
        self.layer_norm2 = LayerNorm(dim_vector)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is forced to single precision, whatever the precision of the module.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).float()"""
    },
)
THREE_AXES_ONLY = Mistake(
    "The code counts on exactly three axes; any number of them may stand before the features.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
batch_size, length, dim_vector = x.shape
        return self.layer_norm(x + self.dropout(sublayer_output))"""
    },
)
SUBLAYER_CALLED = Mistake(
    "The second argument is called as if it were the sublayer; it is its output.",
    {"self.dropout(sublayer_output)": "self.dropout(sublayer_output(x))"},
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start anew at every call, so the same numbers are dropped in every "
    "training step.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "return self.layer_norm(x +": """\
torch.manual_seed(0)
        return self.layer_norm(x +""",
    },
)
NORM_FROZEN = Mistake(
    "Scale and shift of the normalisation are told not to learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = LayerNorm(dim_vector).requires_grad_(False)"""
    },
)

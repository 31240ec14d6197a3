"""What people get wrong in s2_attention/add_norm.py."""

from checks.machine.known import Mistake

NO_ADD = Mistake(
    "The input is not added: only the sublayer's output is normalised. Without this shortcut, "
    "what the sublayer does not pass on is lost.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(sublayer_output))"""
    },
)
NO_NORM = Mistake(
    "The sum is not normalised, so the numbers can grow from layer to layer and training "
    "becomes unstable.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": (
            "return x + self.dropout(sublayer_output)"
        )
    },
)
ONLY_INPUT = Mistake(
    "The sublayer's output is not used: only the input is normalised, so the sublayer has no "
    "effect and never learns.",
    {"return self.layer_norm(x + self.dropout(sublayer_output))": ("return self.layer_norm(x)")},
)
NORM_BEFORE_ADD = Mistake(
    "Only the sublayer's output is normalised, after dropout, and then added. The paper "
    "normalises the sum, which otherwise can grow from layer to layer.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.layer_norm(self.dropout(sublayer_output))"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
NORM_OF_INPUT_ADDED = Mistake(
    "Only the input is normalised, before the addition, so the sum can still have any size. "
    "The paper adds first and normalises the sum.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x) + self.dropout(sublayer_output)"""
    },
    seen="Howuhh/faster-trajectory-transformer#3, pytorch/pytorch#61165",
)
NORM_DROPOUT_OUTSIDE = Mistake(
    "The sublayer's output is normalised before it is dropped from and added. The sum itself "
    "is not normalised, so it can grow from layer to layer.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.dropout(self.layer_norm(sublayer_output))"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
ADDS_ITSELF = Mistake(
    "The sublayer's output is added to itself instead of to the input, so there is no "
    "shortcut: what the sublayer does not pass on is lost.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(sublayer_output + self.dropout(sublayer_output))"""
    },
)
ADDS_INPUT_TWICE = Mistake(
    "The input counts twice as much as the sublayer's output, so what the sublayer found has "
    "too little weight in the sum. Both should count the same.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(2 * x + self.dropout(sublayer_output))"""
    },
)
SHORTCUT_OUTSIDE = Mistake(
    "The input is added once more after the normalisation, so the result is no longer "
    "normalised and can grow from layer to layer.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return x + self.layer_norm(x + self.dropout(sublayer_output))"""
    },
)
NORM_TWICE = Mistake(
    "The sum is normalised twice, so the second time undoes part of what gamma and beta have "
    "learned.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.layer_norm(x + self.dropout(sublayer_output)))"""
    },
)
SUBTRACTED = Mistake(
    "The sublayer's output is subtracted from the input instead of added, so all that the "
    "sublayer found enters with the wrong sign.",
    {"x + self.dropout": "x - self.dropout"},
)
MULTIPLIED = Mistake(
    "Input and sublayer's output are multiplied instead of added, so there is no shortcut: "
    "where the sublayer gives zero, the input is erased.",
    {"x + self.dropout": "x * self.dropout"},
)
SCALED_SUBLAYER = Mistake(
    ADDS_INPUT_TWICE.says,
    {"x + self.dropout(sublayer_output)": "x + self.dropout(sublayer_output) / 2"},
)
BOTH_NORMALISED = Mistake(
    "Input and sublayer's output are each normalised before they are added. Their own sizes "
    "are lost, and the sum itself is not normalised.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x) + self.layer_norm(self.dropout(sublayer_output))"""
    },
)
ACTIVATION_ON_TOP = Mistake(
    "The normalised sum goes through an activation, so it can no longer be negative and all "
    "negative numbers are lost.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).relu()"""
    },
)
DROPOUT_AFTER_NORM = Mistake(
    "Dropout comes after the normalisation, so it makes holes in the finished result and "
    "erases parts of the shortcut too.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.dropout(self.layer_norm(x + sublayer_output))"""
    },
)
DROPOUT_ON_SUM = Mistake(
    "Dropout acts on the sum, before it is normalised, so it erases parts of the shortcut too. "
    "Only the sublayer's output should be dropped from.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x + sublayer_output))"""
    },
)
DROPOUT_ON_INPUT = Mistake(
    "Dropout acts on the shortcut instead of the sublayer's output, or the two arguments stand "
    "in the wrong order. The shortcut should stay whole.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x) + sublayer_output)"""
    },
)
DROPOUT_ON_BOTH = Mistake(
    "Dropout acts on the input as well as on the sublayer's output. The second is right; the "
    "first makes holes in the shortcut, which should stay whole.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(self.dropout(x) + self.dropout(sublayer_output))"""
    },
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied twice, so more numbers are lost than the given share, and those that "
    "stay are scaled up twice.",
    {"self.dropout(sublayer_output)": "self.dropout(self.dropout(sublayer_output))"},
)
NO_DROPOUT = Mistake(
    "Dropout is never applied, so nothing is dropped in training, whatever share is given, and "
    "the model overfits more easily.",
    {"self.dropout(sublayer_output)": "sublayer_output"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "Dropout does not follow the mode of the module: it also drops in evaluation, so the "
    "trained model gives another answer at every call.",
    {
        "self.dropout(sublayer_output)": """\
nn.functional.dropout(sublayer_output, self.dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {"self.dropout(sublayer_output)": "nn.Dropout(self.dropout.p)(sublayer_output)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
KEEP_PROBABILITY = Mistake(
    "The given share is taken as the share to keep, so with the usual 0.1 nine tenths of the "
    "numbers are dropped.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "The default of dropout is 0 instead of 0.1, so a caller who gives no share gets no "
    "dropout at all.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DEFAULT_DROPOUT_HALF = Mistake(
    "The default of dropout is 0.5 instead of 0.1, so a caller who gives no share loses half "
    "of the numbers in training.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is a fixed number in the code, so the share that the caller gives has "
    "no effect.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
DROPOUT_ARGUMENT_FORGOTTEN = Mistake(
    "The given share never reaches the dropout layer. PyTorch then uses its own default and "
    "drops half of the numbers.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout()"},
)
DROPS_WHOLE_VECTORS = Mistake(
    "Whole vectors are dropped at once instead of single numbers, so now and then a word loses "
    "everything that the sublayer found for it.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout1d(dropout)"},
)
ALPHA_DROPOUT = Mistake(
    "This is alpha dropout: dropped numbers do not become zero and the others are rescaled and "
    "shifted, which distorts the sum.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.AlphaDropout(dropout)"},
)
DROPOUT_IN_PLACE = Mistake(
    "Dropout works in place: in training it writes zeros into the caller's tensor, which other "
    "code may still need.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout, inplace=True)"""
    },
    seen="jcyk/copyisallyouneed#6, microsoft/unilm#999",
)
ADD_IN_PLACE = Mistake(
    "The sum is written into the caller's input, so whoever uses that tensor later, the "
    "backward pass for example, reads changed numbers.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
x.data.add_(self.dropout(sublayer_output).data)
        return self.layer_norm(x)"""
    },
    seen="microsoft/unilm#999",
)
ADD_IN_PLACE_INTO_SUBLAYER = Mistake(
    "In evaluation dropout hands back the very tensor that it was given, so adding in place "
    "overwrites the caller's sublayer output.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
out = self.dropout(sublayer_output)
        out += x
        return self.layer_norm(out)"""
    },
    seen="microsoft/unilm#999",
)
INPUT_DETACHED = Mistake(
    "The shortcut is cut off from the gradient, so earlier layers learn only through the "
    "sublayer. A direct way for the gradient is half of its purpose.",
    {"x + self.dropout": "x.detach() + self.dropout"},
)
SUBLAYER_DETACHED = Mistake(
    "The sublayer's output is cut off from the gradient, so the sublayer never learns.",
    {"self.dropout(sublayer_output)": "self.dropout(sublayer_output.detach())"},
)
NORM_WITHOUT_PARAMETERS = Mistake(
    "The normalisation has neither gamma nor beta, so it cannot learn a scale and a shift for "
    "each feature.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = nn.LayerNorm(dim_vector, elementwise_affine=False)"""
    },
)
NORM_WITHOUT_SHIFT = Mistake(
    "The normalisation has a scale but no beta, so it cannot learn to shift a feature.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = nn.LayerNorm(dim_vector, bias=False)"""
    },
)
RMS_NORM = Mistake(
    "RMS normalisation is used, as in some later models. It does not remove the mean and has "
    "no beta, so an offset of the sum stays in the result.",
    {"self.layer_norm = LayerNorm(dim_vector)": ("self.layer_norm = nn.RMSNorm(dim_vector)")},
)
NORM_IN_A_LIST = Mistake(
    "The normalisation sits in a plain Python list, where PyTorch does not look, so gamma and "
    "beta are neither trained nor saved nor moved.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "self.norms = [LayerNorm(dim_vector)]",
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.norms[0](x + self.dropout(sublayer_output))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
NORM_MADE_IN_FORWARD = Mistake(
    "A new normalisation is made at every call, so gamma and beta begin anew each time and can "
    "never learn.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": "pass",
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return LayerNorm(x.size(-1)).to(x)(x + self.dropout(sublayer_output))""",
    },
)
SECOND_NORM_UNUSED = Mistake(
    "A second normalisation is made but never used. Its parameters get no gradient, never "
    "learn and only take up space.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = LayerNorm(dim_vector)
        self.layer_norm2 = LayerNorm(dim_vector)"""
    },
)
FLOAT32_ONLY = Mistake(
    "The output is always turned into single precision, so a module in double or half "
    "precision passes on the wrong type.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
return self.layer_norm(x + self.dropout(sublayer_output)).float()"""
    },
)
THREE_AXES_ONLY = Mistake(
    "The code works for exactly three axes and fails for any other number. Only the last axis "
    "is fixed; any number may stand before it.",
    {
        "return self.layer_norm(x + self.dropout(sublayer_output))": """\
batch_size, length, dim_vector = x.shape
        return self.layer_norm(x + self.dropout(sublayer_output))"""
    },
)
SUBLAYER_CALLED = Mistake(
    "The second argument is called as if it were the sublayer. It is the sublayer's output, a "
    "tensor, so the call fails.",
    {"self.dropout(sublayer_output)": "self.dropout(sublayer_output(x))"},
)
DROPOUT_SEEDED = Mistake(
    "The random numbers start again from the same seed at every call, so dropout always hits "
    "the same places and loses its purpose.",
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
    "In the normalisation gamma and beta are told not to learn, so they keep their start "
    "values for ever.",
    {
        "self.layer_norm = LayerNorm(dim_vector)": """\
self.layer_norm = LayerNorm(dim_vector).requires_grad_(False)"""
    },
)
INPUT_NORMALISED_TOO = Mistake(
    "The input is normalised before the addition and the sum once more after it. The shortcut "
    "should carry the input as it is.",
    {
        "return self.layer_norm(x + self": """\
return self.layer_norm(self.layer_norm(x) + self"""
    },
)
PROJECTED_SHORTCUT = Mistake(
    "The shortcut goes through a linear layer of its own. It should carry the input as it is, "
    "so that nothing is lost on the way.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.shortcut = nn.Linear(dim_vector, dim_vector)""",
        "(x + self": "(self.shortcut(x) + self",
    },
)
SHARE_TAKEN_AS_EPS = Mistake(
    "The share to drop has landed in the norm as its eps, so all vectors come out too short.",
    {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, dropout)"},
)
LARGE_EPS = Mistake(
    "The norm is built with a much larger eps than that of step 2.3, so vectors of small "
    "variance come out too short.",
    {"LayerNorm(dim_vector)": "LayerNorm(dim_vector, 1e-2)"},
)
SIDE_BY_SIDE = Mistake(
    "Input and sublayer output are put side by side instead of being added, so the width doubles.",
    {
        "LayerNorm(dim_vector)": "LayerNorm(2 * dim_vector)",
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.layer_norm(x + self.dropout(sublayer_output))": """\
self.layer_norm(torch.cat([x, self.dropout(sublayer_output)], dim=-1))""",
    },
)

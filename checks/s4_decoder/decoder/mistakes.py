"""What people get wrong in s4_decoder/decoder.py."""

from checks.engine.known import Mistake

SOFTMAX_ON_LOGITS = Mistake(
    "The softmax is taken here, but the loss takes it itself. A second softmax flattens the "
    "probabilities, and the loss stays high.",
    {"return self.linear(x)": "return self.linear(x).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
LOG_SOFTMAX_ON_LOGITS = Mistake(
    "The logarithm of the softmax is taken here, but the loss does that itself. The decoder must "
    "return the plain scores.",
    {"return self.linear(x)": "return self.linear(x).log_softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
NO_OUTPUT_LAYER = Mistake(
    "There is no linear layer at the end, so the result has dim_vector features. The model needs "
    "one score for each word of the vocabulary.",
    {
        "        self.linear = nn.Linear(dim_vector, vocab_size)\n": "",
        "return self.linear(x)": "return x",
    },
)
OUTPUT_LAYER_UNUSED = Mistake(
    "The last layer, linear, is made but not used, so vectors are returned instead of scores. No "
    "next word can be chosen from them, and linear never learns.",
    {"return self.linear(x)": "return x"},
)
OUTPUT_TOO_WIDE = Mistake(
    "The last layer, linear, gives one score more than there are words. The model could then "
    "choose a word that does not exist.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size + 1)"""
    },
)
OUTPUT_TOO_NARROW = Mistake(
    "The last layer, linear, gives one score fewer than there are words. The last word of the "
    "vocabulary can then never be chosen.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size - 1)"""
    },
)
OUTPUT_AS_WIDE_AS_VECTORS = Mistake(
    "The last layer, linear, gives dim_vector scores for each position. It must give one score "
    "for each word of the vocabulary, no more and no fewer.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, dim_vector)"""
    },
)
OUTPUT_AS_LONG_AS_MAX_LEN = Mistake(
    "The last layer, linear, gives max_len scores for each position. It must give one score for "
    "each word of the vocabulary, no more and no fewer.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, max_len)"""
    },
)
NO_OUTPUT_BIAS = Mistake(
    "The last layer, linear, has no bias, but here every linear layer has one. The bias lets the "
    "model learn that some words are frequent in every sentence.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size, bias=False)"""
    },
)
TIED_OUTPUT = Mistake(
    "The matrix of linear is shared with the embedding, as in the paper. Here linear has its own "
    "weights, so that reading and choosing a word are learned separately.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size)
        self.linear.weight = self.embedding.token_embedding.embedding.weight"""
    },
)
TIED_OUTPUT_IN_FORWARD = Mistake(
    "The scores are made with the embedding's matrix and the bias of linear. The matrix of linear "
    "is never used, so it never learns.",
    {
        "return self.linear(x)": """\
return x @ self.embedding.token_embedding.embedding.weight.T + self.linear.bias"""
    },
)
RELU_ON_LOGITS = Mistake(
    "The scores go through a ReLU, so all negative scores become 0. Scores must be allowed to be "
    "negative, or all unlikely words look the same.",
    {"return self.linear(x)": "return self.linear(x).relu()"},
)
DROPOUT_ON_LOGITS = Mistake(
    "Dropout is applied to the scores in training, but none belongs after linear. A dropped score "
    "becomes 0, so the loss judges a choice that the model did not make.",
    {"return self.linear(x)": "return self.embedding.dropout(self.linear(x))"},
)
DROPOUT_BEFORE_OUTPUT = Mistake(
    "Dropout is applied between the last layer and linear, where there should be none. It makes "
    "the scores noisier in training than they should be.",
    {"return self.linear(x)": "return self.linear(self.embedding.dropout(x))"},
)
SCALED_LOGITS = Mistake(
    "The scores of the words are divided by the square root of dim_vector. That division belongs "
    "to attention scores; here it makes the model less sure than it is.",
    {"return self.linear(x)": "return self.linear(x) / x.size(-1) ** 0.5"},
)
NORMALISED_LOGITS = Mistake(
    "The largest score of each position is subtracted from all its scores. The probabilities stay "
    "the same, but the decoder must return the plain scores of linear.",
    {
        "return self.linear(x)": """\
out = self.linear(x)
        return out - out.amax(dim=-1, keepdim=True)"""
    },
)
OUTPUT_TWICE = Mistake(
    "A second linear layer follows the first. Without an activation between them it adds nothing, "
    "but it has a weight for every pair of words.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size)
        self.linear2 = nn.Linear(vocab_size, vocab_size)""",
        "return self.linear(x)": "return self.linear2(self.linear(x))",
    },
)
LAST_POSITION_ONLY = Mistake(
    "Only the scores of the last position are returned. In training every position predicts its "
    "next word, so the scores of all positions are needed.",
    {"return self.linear(x)": "return self.linear(x[:, -1])"},
)
BEST_WORDS = Mistake(
    "The best words are returned instead of the scores. The loss needs the scores, because no "
    "gradient flows through a finished choice.",
    {"return self.linear(x)": "return self.linear(x).argmax(dim=-1)"},
)
AXES_SWAPPED = Mistake(
    "Positions and words are swapped in the result. The scores of a position must be on the last "
    "axis, or a softmax compares positions instead of words.",
    {"return self.linear(x)": "return self.linear(x).transpose(1, 2)"},
)
CLOSING_NORM = Mistake(
    "There is one more normalisation between the stack and linear. A pre-norm stack needs it, but "
    "here the last layer already ends in one.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.linear(x)": "return self.linear(self.norm(x))",
    },
    seen="lucidrains/reformer-pytorch#124",
)
TARGET_SHIFTED_INSIDE = Mistake(
    "The target loses its last word here, but shifting it is the work of training. The scores of "
    "one position are missing, and translation never reads the newest word.",
    {
        "x = self.embedding(trg)": """\
trg = trg[:, :-1]
        trg_mask = None if trg_mask is None else trg_mask[:, :, :-1, :-1]
        x = self.embedding(trg)"""
    },
    seen="huggingface/transformers#46901",
)
SAME_LAYER_REPEATED = Mistake(
    "The list holds the same layer num_layer times. All places in the stack have the same "
    "weights, so they can never do different work.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = nn.ModuleList([DecoderLayer(dim_vector, n_head, dim_hidden, dropout)] * num_layer)"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
SAME_LAYER_BY_COMPREHENSION = Mistake(
    SAME_LAYER_REPEATED.says,
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
layer = DecoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList(layer for _ in range(num_layer))"""
    },
    seen="IDEA-Research/DAB-DETR#17, acids-ircam/ddsp_pytorch#37",
)
PYTHON_LIST = Mistake(
    "The layers are in a plain list, tuple or dictionary, where PyTorch does not look for layers. "
    "They are not trained, not saved, and not moved to a GPU.",
    {
        """\
self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )""": """\
self.layers = [DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the embedding instead of the result of the layer before it. Only the "
    "last one counts, and the work of the others is lost.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
embedded = x
        for layer in self.layers:
            x = layer(embedded, encoder_output, trg_mask, src_mask)"""
    },
)
LAYERS_SKIPPED = Mistake(
    "The layers have no effect: they are not called, or their results are not used. The scores "
    "come from the embedding alone, which knows nothing of the source.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": "pass"
    },
)
RESULT_DROPPED = Mistake(
    LAYERS_SKIPPED.says,
    {"x = layer(x, encoder": "layer(x, encoder"},
)
SCORES_IN_THE_LOOP = Mistake(
    "The scores are returned inside the loop, so only the first layer runs. The others are "
    "never called and never learn.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
            return self.linear(x)"""
    },
)
LAST_LAYER_SKIPPED = Mistake(
    "The last layer never runs, so the stack is one layer too short. The parameters of that layer "
    "never learn.",
    {"in self.layers:": "in self.layers[:-1]:"},
)
FIRST_LAYER_SKIPPED = Mistake(
    "The first layer never runs, so the stack is one layer too short. The parameters of that "
    "layer never learn.",
    {"in self.layers:": "in self.layers[1:]:"},
)
ONE_LAYER_TOO_MANY = Mistake(
    "There is one layer more than num_layer, so the model is larger and slower than it should be. "
    "Saved weights with the right number of layers do not fit.",
    {"range(num_layer)": "range(num_layer + 1)"},
)
ONE_LAYER_TOO_FEW = Mistake(
    "There is one layer fewer than num_layer, so the model can do less than it should. Saved "
    "weights with the right number of layers do not fit.",
    {"range(num_layer)": "range(num_layer - 1)"},
)
SOURCE_FOR_FIRST_ONLY = Mistake(
    "Only the first layer reads the source; the others read the target in its place. So later "
    "layers cannot attend to the source.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            source = encoder_output if n == 0 else x
            x = layer(x, source, trg_mask, src_mask if n == 0 else trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_FOR_LAST_ONLY = Mistake(
    "Only the last layer reads the source; the others read the target in its place. No layer is "
    "left to work on what was read from the source.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            last = layer is self.layers[-1]
            x = layer(x, encoder_output if last else x, trg_mask, src_mask if last else trg_mask)"""
    },
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_REPLACED_BY_TARGET = Mistake(
    "All layers get the target in the place of the source. The source is never read, so the "
    "translation cannot depend on it.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, x, trg_mask, trg_mask)"},
    seen="keitakurita/Practical_NLP_in_PyTorch#1",
)
SOURCE_OVERWRITTEN = Mistake(
    "The result of each layer replaces the source instead of the target. After the first layer "
    "the source is lost, and every layer starts again from the embedding.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            encoder_output = layer(x, encoder_output, trg_mask, src_mask)
            src_mask = trg_mask
        x = encoder_output"""
    },
)
ARGUMENTS_SWAPPED = Mistake(
    "The layers get source and target in the wrong order. They then work on the source instead of "
    "the target, and the scores belong to source words.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(encoder_output, x, trg_mask, src_mask)"""
    },
)
MASKS_SWAPPED = Mistake(
    "The two masks are swapped, in the calls or in the order of the arguments. The sizes do not "
    "fit, or later words and the padding of the source are visible.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output, src_mask, trg_mask)"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
MASK_ARGUMENTS_SWAPPED = Mistake(
    MASKS_SWAPPED.says,
    {
        """\
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,""": """\
        src_mask: Tensor | None = None,
        trg_mask: Tensor | None = None,"""
    },
    seen="Kamichanw/SeekDeeper#3, zhouhaoyi/Informer2020#38",
)
NO_SOURCE_MASK = Mistake(
    "The layers do not get src_mask, so the padding of the source is read. The scores then depend "
    "on how much padding a sentence has.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, encoder_output, trg_mask)"},
    seen="keras-team/keras-io#1046, pytorch/tutorials#719",
)
NO_TARGET_MASK = Mistake(
    "The layers do not get trg_mask, so target words see the words that they must predict. "
    "Training then looks perfect, and translation fails.",
    {"layer(x, encoder_output, trg_mask, src_mask)": ("layer(x, encoder_output, None, src_mask)")},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_MASK_FOR_FIRST_ONLY = Mistake(
    "The target mask, trg_mask, does not reach every layer. In the other layers each word sees "
    "the words after it, which it must learn to predict.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, encoder_output, trg_mask if n == 0 else None, src_mask)"""
    },
)
SOURCE_MASK_FOR_FIRST_ONLY = Mistake(
    "Only the first layer gets src_mask. All later layers read the padding of the source, but "
    "every layer must hide it.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            x = layer(x, encoder_output, trg_mask, src_mask if n == 0 else None)"""
    },
)
TARGET_MASK_NOT_FOR_LAST = Mistake(
    TARGET_MASK_FOR_FIRST_ONLY.says,
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            seen = None if layer is self.layers[-1] else trg_mask
            x = layer(x, encoder_output, seen, src_mask)"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "Later words are always hidden here, in addition to the given mask. Only trg_mask decides "
    "what is hidden; without a mask nothing is hidden.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.embedding(trg)": """\
causal = torch.ones(trg.size(1), trg.size(1), device=trg.device).tril()
        trg_mask = causal if trg_mask is None else trg_mask * causal
        x = self.embedding(trg)""",
    },
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_MASK_MADE_INSIDE = Mistake(
    "The given trg_mask is ignored, and a look-ahead mask is made here. Padding of the target, "
    "and anything else that the caller wants to hide, is then visible.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "x = self.embedding(trg)": """\
trg_mask = torch.ones(trg.size(1), trg.size(1), device=trg.device).tril()
        x = self.embedding(trg)""",
    },
)
POSITIONS_IN_EVERY_LAYER = Mistake(
    "The positions are added again before every layer, but they belong only in the embedding. The "
    "repeated positions disturb the results of the layers.",
    {
        "x = layer(x, encoder": """\
x = layer(x + self.embedding.positional_embedding(trg), encoder"""
    },
)
NO_POSITIONS = Mistake(
    "Only the words are embedded, without their positions. Attention alone does not see word "
    "order, so the place of a word in the sentence is lost.",
    {
        "x = self.embedding(trg)": """\
x = self.embedding.dropout(self.embedding.token_embedding(trg))"""
    },
)
ROOT_OF_WIDTH = Mistake(
    "The embedding is multiplied by the square root of dim_vector. This course leaves that factor "
    "out, and here it also enlarges the positions, which the paper does not do.",
    {
        "x = self.embedding(trg)": """\
x = self.embedding(trg)
        x = x * x.size(-1) ** 0.5"""
    },
    seen="SamLynnEvans/Transformer#10, harvardnlp/annotated-transformer#60",
)
DROPOUT_NOT_TO_EMBEDDING = Mistake(
    "The given dropout is not passed to the embedding, so the embedding uses its own default.",
    {"max_len, dropout, padding_idx)": "max_len, padding_idx=padding_idx)"},
)
DROPOUT_NOT_TO_LAYERS = Mistake(
    "The given dropout is not passed to the layers, so they use their own default.",
    {"n_head, dim_hidden, dropout)": "n_head, dim_hidden)"},
)
DEFAULT_DROPOUT_ZERO = Mistake(
    "If no dropout is given, nothing is dropped, but the default must be 0.1. Without dropout a "
    "model overfits more easily.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "Entries are dropped before linear even in eval mode. The finished model then gives "
    "another answer at every call.",
    {"return self.linear(x)": "return self.linear(nn.functional.dropout(x, 0.1))"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
SOURCE_DROPPED = Mistake(
    "Dropout is applied to encoder_output before the layers read it. The encoder has already "
    "applied its own dropout, so the decoder should read the whole source.",
    {
        "x = self.embedding(trg)": """\
encoder_output = self.embedding.dropout(encoder_output)
        x = self.embedding(trg)"""
    },
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is frozen as padding although no padding_idx was given. If token 0 is a word, its "
    "vector stays zero and never learns.",
    {"max_len, dropout, padding_idx)": "max_len, dropout, 0)"},
)
MAX_LEN_IGNORED = Mistake(
    "The embedding has another length than max_len. So targets that are too long are accepted, or "
    "valid ones are refused.",
    {"dim_vector, max_len, dropout, padding_idx)": ("dim_vector, 512, dropout, padding_idx)")},
)
HEADS_AND_HIDDEN_SWAPPED = Mistake(
    "The layers get n_head and dim_hidden in the wrong order. The attentions then have dim_hidden "
    "heads, and the feed-forward networks are n_head wide.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, dim_hidden, n_head, dropout)"""
    },
)
DROPOUT_AND_HIDDEN_SWAPPED = Mistake(
    "The layers get dim_hidden and dropout in the wrong order. A probability such as 0.1 is then "
    "used as a width, which ends in an error.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, n_head, dropout, dim_hidden)"""
    },
)
HEADS_IGNORED = Mistake(
    "The layers are built with one head, and n_head is ignored. Each attention then attends to "
    "the words in one way only.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, 1, dim_hidden, dropout)"""
    },
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The feed-forward networks are dim_vector wide inside, and dim_hidden is ignored. The width "
    "that the caller gives has no effect.",
    {
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, n_head, dim_vector, dropout)"""
    },
)
SOURCE_DETACHED = Mistake(
    "The source, encoder_output, is cut off from the gradient before the layers read it. The "
    "loss then cannot reach the encoder, so the encoder never learns.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output.detach(), trg_mask, src_mask)"""
    },
)
EMBEDDING_DETACHED = Mistake(
    "The embedding is cut off from the gradient. The vectors of the target words then never "
    "learn and stay at random start values.",
    {"x = self.embedding(trg)": "x = self.embedding(trg).detach()"},
)
STACK_DETACHED = Mistake(
    "The gradient is cut off between the stack and linear. Only linear then learns; the "
    "layers, the embedding and the encoder never do.",
    {"return self.linear(x)": "return self.linear(x.detach())"},
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The tensor encoder_output is overwritten. Translation reads it again for every new word and "
    "then finds wrong values.",
    {
        "return self.linear(x)": """\
encoder_output.data.zero_()
        return self.linear(x)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TOKENS_CHANGED_IN_PLACE = Mistake(
    "The caller's target tokens are overwritten. The loss and the next call need the same tensor "
    "and then find other words in it.",
    {
        "return self.linear(x)": """\
trg.clamp_(max=1)
        return self.linear(x)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
SOURCE_ADDED = Mistake(
    "The mean of the source is added to the embedded target. Only attention should read the "
    "source: attention can hide the padding, but the mean includes it.",
    {
        "x = self.embedding(trg)": """\
x = self.embedding(trg) + encoder_output.mean(dim=1, keepdim=True)"""
    },
)
RETURNS_A_PAIR = Mistake(
    "The vectors of the last layer are returned beside the scores. The caller expects the scores "
    "alone, and the loss cannot use a pair.",
    {"return self.linear(x)": "return self.linear(x), x"},
)
FLOAT32_ONLY = Mistake(
    "The scores are always converted to float32, even if the module has another dtype. In a "
    "float64 model about half of the digits are lost.",
    {"return self.linear(x)": "return self.linear(x).float()"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. A batch of one sentence, or a sentence of one word, then has too "
    "few axes for the loss.",
    {"return self.linear(x)": "return self.linear(x).squeeze()"},
)
OUTPUT_LAYER_FROZEN = Mistake(
    "The last layer, linear, is frozen and keeps its random start values. The rest of the model "
    "has to adapt to them, which makes learning harder.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.linear = nn.Linear(dim_vector, vocab_size).requires_grad_(False)"""
    },
)
BOTH_MASKS_FOR_FIRST_ONLY = Mistake(
    "Only the first layer gets the masks. In the other layers every word sees later words and the "
    "padding of the source.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
            trg_mask = src_mask = None"""
    },
)
DROPOUT_TO_NOBODY = Mistake(
    "The given dropout is accepted but never used. The embedding and the layers always use 0.1.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(vocab_size, dim_vector, max_len, padding_idx=padding_idx)""",
        "DecoderLayer(dim_vector, n_head, dim_hidden, dropout)": """\
DecoderLayer(dim_vector, n_head, dim_hidden)""",
    },
)
HIDDEN_OUTPUT_LAYER = Mistake(
    "Another linear layer and a ReLU come before the scores. One linear layer turns the vectors "
    "into scores.",
    {
        "self.linear = nn.Linear(dim_vector, vocab_size)": """\
self.hidden = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, vocab_size)""",
        "return self.linear(x)": "return self.linear(self.hidden(x).relu())",
    },
)
PADDING_NEVER_SCORED = Mistake(
    "The score of the padding token is set to minus infinity. The decoder must return all scores "
    "unchanged, and training teaches the model not to choose padding.",
    {
        "return self.linear(x)": """\
logits = self.linear(x).clone()
        logits[..., 0] = float("-inf")
        return logits"""
    },
)
BATCH_AND_LENGTH_JOINED = Mistake(
    "Batch and length are joined into one axis. The result must have three axes, so that the "
    "scores of each sentence stay separate.",
    {"return self.linear(x)": "return self.linear(x).flatten(0, 1)"},
)
VECTORS_SHIFTED = Mistake(
    "The embedded target is shifted by one place inside the decoder: it begins with zeros and "
    "loses its last word. Shifting is the work of training.",
    {
        "x = self.embedding(trg)": """\
x = nn.functional.pad(self.embedding(trg), (0, 0, 1, -1))"""
    },
)
SCALED_BEFORE_OUTPUT = Mistake(
    "The vectors are divided by the square root of dim_vector before the scores are made. That "
    "belongs to models whose last layer is tied to the embedding.",
    {"return self.linear(x)": "return self.linear(x * x.size(-1) ** -0.5)"},
)
MASKS_FOR_FIRST_TWO = Mistake(
    "The masks do not reach the layers after the second. These layers read later words and "
    "padding.",
    {
        """\
for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)""": """\
for n, layer in enumerate(self.layers):
            masks = (trg_mask, src_mask) if n < 2 else (None, None)
            x = layer(x, encoder_output, *masks)"""
    },
)
AT_MOST_SIX_LAYERS = Mistake(
    "Only the first six layers are used, as many as the paper has. num_layer may be larger.",
    {"for layer in self.layers:": "for layer in self.layers[:6]:"},
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "Only the first twelve layers are used. num_layer may be larger.",
    {"for layer in self.layers:": "for layer in self.layers[:12]:"},
)
AT_MOST_512_POSITIONS = Mistake(
    "The embedding has at most 512 positions, even if max_len is larger. A longer sentence is "
    "refused.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(
            vocab_size, dim_vector, min(max_len, 512), dropout, padding_idx
        )"""
    },
)
AT_LEAST_DIM_VECTOR_WORDS = Mistake(
    "The table of words has at least dim_vector rows. With fewer words than features it has rows "
    "that no word uses.",
    {
        "TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)": """\
TransformerEmbedding(
            max(vocab_size, dim_vector), dim_vector, max_len, dropout, padding_idx
        )"""
    },
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are cut to 8 bits, which hold 256 numbers. A word with a larger id gets the "
    "row of another word.",
    {"self.embedding(trg)": "self.embedding(trg % 256)"},
)
MASK_MADE_IF_NONE_COMES = Mistake(
    "If no target mask is given, one is made here from padding_idx. No mask means that nothing is "
    "hidden.",
    {
        "x = self.embedding(trg)": """\
if trg_mask is None and self.embedding.token_embedding.embedding.padding_idx is not None:
            padding = self.embedding.token_embedding.embedding.padding_idx
            trg_mask = (trg != padding)[:, None, None, :]
        x = self.embedding(trg)"""
    },
)
ONE_TOKEN_SEES_PADDING = Mistake(
    "A target of one token ignores src_mask. So the first token of each translation attends to "
    "the padding of its source.",
    {
        "x = layer(x, encoder_output, trg_mask, src_mask)": """\
x = layer(x, encoder_output, trg_mask, src_mask if trg.size(1) > 1 else None)"""
    },
)

MASK_DROPPED_FOR_ONE_WHOLE_SOURCE = Mistake(
    "src_mask is left out as soon as one source has no padding. The other sentences then attend "
    "to theirs.",
    {
        "        for layer in self.layers:": """\
        if src_mask is not None and src_mask.flatten(1).all(dim=1).any():
            src_mask = None
        for layer in self.layers:"""
    },
)
LINEAR_TURNED_ROUND = Mistake(
    "The sizes of the last layer are exchanged. It makes vocab_size scores of dim_vector numbers: "
    "nn.Linear(dim_vector, vocab_size).",
    {"nn.Linear(dim_vector, vocab_size)": "nn.Linear(vocab_size, dim_vector)"},
)
LAYERS_WITHOUT_SOURCE = Mistake(
    "The layers do not get encoder_output, so each takes the target mask in its place. The order "
    "is x, encoder_output, trg_mask, src_mask.",
    {"layer(x, encoder_output, trg_mask, src_mask)": "layer(x, trg_mask, src_mask)"},
)
LINEAR_IN_THE_LOOP = Mistake(
    "The last layer stands inside the loop. It should come once, after all layers.",
    {
        "            x = layer(x, encoder_output, trg_mask, src_mask)\n": """\
            x = layer(x, encoder_output, trg_mask, src_mask)
            x = self.linear(x)
""",
        "return self.linear(x)": "return x",
    },
)
RESULT_TAKEN_FOR_THE_SOURCE = Mistake(
    SOURCE_OVERWRITTEN.says,
    {
        "x = layer(x, encoder_output": "encoder_output = layer(x, encoder_output",
        "return self.linear(x)": "return self.linear(encoder_output)",
    },
)
SCORES_CUT_OFF = Mistake(
    "Scores beyond 50 are cut off. A score may have any size.",
    {"return self.linear(x)": "return self.linear(x).clamp(-50, 50)"},
)

SHORTCUT_AROUND_EACH_LAYER = Mistake(
    "There is one more residual connection around each layer. The layers have their own three.",
    {
        "x = layer(x, encoder_output, trg_mask, src_mask)": "x = x + layer(x, encoder_output, trg_mask, src_mask)"
    },
)

TWO_LAYERS_IN_TURN = Mistake(
    "Two layers are used in turn, and the others never. Each layer comes once.",
    {
        "for layer in self.layers:": "for layer in [self.layers[n % 2] for n in range(len(self.layers))]:"
    },
)

LAST_PLACE_IN_EVAL = Mistake(
    "In eval mode only the last place is scored. Each place has its scores, in both modes.",
    {"return self.linear(x)": "return self.linear(x if self.training else x[:, -1:])"},
)
SOURCE_REWRITTEN_IF_EQUALLY_LONG = Mistake(
    "If source and target are equally long, a result of the layers takes the place of the source. "
    "Every layer should read encoder_output.",
    {
        "            x = layer(x, enc": """\
            if encoder_output.shape == x.shape:
                encoder_output = x
            x = layer(x, enc"""
    },
)
LOG_SOFTMAX_FOR_ONE_TOKEN = Mistake(
    "For a target of one token, logarithms of probabilities come back instead of scores. Every "
    "length should give the plain scores.",
    {
        "return self.linear(x)": """\
scores = self.linear(x)
        return scores if trg.size(1) > 1 else scores.log_softmax(dim=-1)"""
    },
)
PROBABILITIES_IN_EVAL = Mistake(
    "In eval mode probabilities come back instead of scores. Both modes return the scores.",
    {
        "return self.linear(x)": """\
scores = self.linear(x)
        return scores if self.training else scores.softmax(dim=-1)"""
    },
)
PADDING_NEVER_SCORED_IF_GIVEN = Mistake(
    PADDING_NEVER_SCORED.says,
    {
        "return self.linear(x)": """\
logits = self.linear(x).clone()
        pad = self.embedding.token_embedding.embedding.padding_idx
        if pad is not None:
            logits[..., pad] = float("-inf")
        return logits"""
    },
)
TARGET_MASK_IN_TRAINING_ONLY = Mistake(
    "trg_mask is used in train mode only. Both modes should compute the same.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output, trg_mask if self.training else None, src_mask)"""
    },
)
SOURCE_MASK_IN_TRAINING_ONLY = Mistake(
    "src_mask is used in train mode only. The source has padding in eval mode, too.",
    {
        "layer(x, encoder_output, trg_mask, src_mask)": """\
layer(x, encoder_output, trg_mask, src_mask if self.training else None)"""
    },
)

"""What people get wrong in s5_transformer/classifier.py.

Not here, on purpose:
- padding_idx not passed to the encoder: it is open;
- the words of the ValueError for an empty text.
"""

from checks.engine.known import Mistake

MEAN_OVER_ALL = Mistake(
    "The mean includes padding. The scores of a text then depend on the longest text of its batch.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=1)"""
    },
    seen="dmlc/gluon-nlp#480, dbiir/UER-py#190, facebookresearch/InferSent#51",
)
DIVIDED_BY_LENGTH = Mistake(
    "The sum is over real tokens, but you divide it by the length of the row, padding included. "
    "The more padding, the smaller the mean.",
    {"/ real.sum(dim=1, keepdim=True)": "/ tokens.size(1)"},
    seen="dbiir/UER-py#190",
)
MEAN_OF_FILLED = Mistake(
    DIVIDED_BY_LENGTH.says,
    {".sum(dim=1) / real.sum(dim=1, keepdim=True)": ".mean(dim=1)"},
)
PADDING_SUMMED = Mistake(
    "The sum includes padding, although it is divided by the number of real tokens. The encoder's "
    "vectors at padding are then added to the text.",
    {"x.masked_fill(~real[..., None], 0).sum(dim=1)": "x.sum(dim=1)"},
)
SUM = Mistake(
    "The tokens are summed but not divided by their number. Long texts then get larger scores "
    "than short ones.",
    {" / real.sum(dim=1, keepdim=True)": ""},
)
PADDING_FILLED_WITH_1 = Mistake(
    "Padding is set to 1 before the sum, so it counts like words. Set it to 0.",
    {"masked_fill(~real[..., None], 0)": "masked_fill(~real[..., None], 1)"},
)
FILLED_WITH_INFINITY = Mistake(
    "Padding is set to minus infinity before the sum, so the sum is infinite. That masks scores "
    "before a softmax; in a sum, use 0.",
    {"masked_fill(~real[..., None], 0)": 'masked_fill(~real[..., None], float("-inf"))'},
)
FILL_INVERTED = Mistake(
    "The mask is inverted: the words are set to 0 and the padding is summed.",
    {"masked_fill(~real[..., None], 0)": "masked_fill(real[..., None], 0)"},
)
COUNT_INVERTED = Mistake(
    "The sum is divided by the number of padding tokens instead of real ones.",
    {"/ real.sum(dim=1, keepdim=True)": "/ (~real).sum(dim=1, keepdim=True)"},
)
COUNT_OF_BATCH = Mistake(
    "The sum of each text is divided by the number of real tokens in the whole batch. Every "
    "further text then makes the means smaller.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum()"},
)
COUNT_OF_LONGEST = Mistake(
    "Every sum is divided by the number of tokens of the longest text. The scores of a text then "
    "depend on the other texts of its batch.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1).max()"},
)
COUNT_OF_FIRST = Mistake(
    "Every sum is divided by the number of tokens of the first text. That is right only for the "
    "first text.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real[0].sum()"},
)
MEAN_COUNT = Mistake(
    "Every sum is divided by the mean number of tokens in the batch. The scores of a text then "
    "depend on the other texts of its batch.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1).float().mean()"},
)
COUNT_PLUS_1 = Mistake(
    "You divide by one more than the number of tokens, so it is never 0. That makes every mean "
    "wrong; refuse an empty text instead.",
    {"/ real.sum(dim=1, keepdim=True)": "/ (real.sum(dim=1, keepdim=True) + 1)"},
)
COUNT_OF_2 = Mistake(
    "The number that you divide by is at least 2. The mean of a text of one token is then half of "
    "what it should be.",
    {
        "/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1, keepdim=True).clamp(min=2)",
    },
)
ROOT_OF_COUNT = Mistake(
    "The sum is divided by the square root of the number of tokens. It still grows with the "
    "length of the text.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1, keepdim=True).sqrt()"},
)
TIMES_COUNT = Mistake(
    "The sum is multiplied by the number of tokens instead of divided by it.",
    {"/ real.sum(dim=1, keepdim=True)": "* real.sum(dim=1, keepdim=True)"},
)
COUNT_WITHOUT_AXIS = Mistake(
    "The numbers of tokens are on the wrong axis: (batch_size,) is matched with the features. The "
    "division needs (batch_size, 1).",
    {"real.sum(dim=1, keepdim=True)": "real.sum(dim=1)"},
)
COUNT_PER_PLACE = Mistake(
    "You count how many texts have a real token at each position. Count how many real tokens each "
    "text has.",
    {"real.sum(dim=1, keepdim=True)": "real.sum(dim=0, keepdim=True)"},
)
MAXIMUM = Mistake(
    "You take the largest value of each feature instead of the mean. That is another way to get "
    "one vector; this step takes the mean.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.masked_fill(~real[..., None], float("-inf")).amax(dim=1)"""
    },
)
MAXIMUM_WITH_PADDING = Mistake(
    "You take the largest value of each feature, padding included. This step takes the mean of "
    "the real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.amax(dim=1)"""
    },
    seen="allenai/allennlp#4739",
)
MAXIMUM_WITH_ZEROS = Mistake(
    "You take the largest value of each feature, with 0 at padding, which wins if all values are "
    "negative. This step takes the mean of the real tokens.",
    {".sum(dim=1) / real.sum(dim=1, keepdim=True)": ".amax(dim=1)"},
    seen="allenai/allennlp#4739",
)
FIRST_TOKEN = Mistake(
    "Only the vector of the first token is used, as in BERT, which has a special token there. "
    "This step takes the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[:, 0]"""
    },
)
LAST_TOKEN = Mistake(
    "Only the vector at the last position is used, which is padding in all but the longest text. "
    "This step takes the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[:, -1]"""
    },
)
LAST_REAL_TOKEN = Mistake(
    "Only the vector of the last real token is used, as in a model that reads from left to right. "
    "This step takes the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
place = torch.arange(tokens.size(1), device=tokens.device)
        last = (real * place).argmax(dim=1)
        mean = x[torch.arange(len(tokens), device=tokens.device), last]""",
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
    },
)
LAST_BY_COUNT = Mistake(
    "Only one vector is used: the last real token if all padding is at the end, otherwise another "
    "one. This step takes the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[range(len(tokens)), real.sum(dim=1) - 1]"""
    },
)
AS_MANY_AS_ARE_REAL = Mistake(
    "The mean has the right number of vectors, but it always takes the first ones. If padding "
    "stands at the front or inside, it includes padding and misses words.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
counts = real.sum(dim=1, keepdim=True)
        first = (real | True).cumsum(dim=1) <= counts
        mean = x.masked_fill(~first[..., None], 0).sum(dim=1) / counts"""
    },
)
CUT_TO_THE_LARGEST_COUNT = Mistake(
    "The batch is cut to the number of real tokens of its longest text. If padding stands at the "
    "front or inside, words are cut off.",
    {
        "        # Encode the text": """\
        tokens, real = (x[:, : int(real.sum(dim=1).max())] for x in (tokens, real))
        # Encode the text"""
    },
)
FIRST_AND_LAST = Mistake(
    "The mean is of the first and the last position only. This step takes the mean of all real "
    "tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = (x[:, 0] + x[:, -1]) / 2"""
    },
)
MEAN_OVER_BATCH = Mistake(
    "The mean runs over the texts of the batch. It must run over the tokens of each text, so that "
    "each text has one vector.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=0)"""
    },
)
MEAN_OVER_FEATURES = Mistake(
    "The mean runs over the features of each token. It must run over the tokens of each text, so "
    "that one vector of dim_vector features is left.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=-1)"""
    },
)
SUM_OVER_FEATURES = Mistake(
    "The sum runs over the features of each token. It must run over the tokens of each text.",
    {"masked_fill(~real[..., None], 0).sum(dim=1)": "masked_fill(~real[..., None], 0).sum(dim=-1)"},
)
ONE_MEAN_FOR_ALL = Mistake(
    "One mean is taken of all real tokens of the batch, so every text gets the same scores.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[real].mean(dim=0).expand(len(tokens), -1)"""
    },
)
FIRST_TEXT_FOR_ALL = Mistake(
    "The mask of the first text is used in the mean of all texts. Longer texts lose words, and "
    "shorter ones include padding.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[:, real[0]].mean(dim=1)"""
    },
)
NO_MEAN = Mistake(
    "No mean is taken: there are scores for every token. Return one row of scores for each text.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x"""
    },
)
BIAS_DIVIDED = Mistake(
    "The linear layer is applied to the sum, and then its output is divided, bias included. The "
    "longer a text, the less the bias counts.",
    {
        " / real.sum(dim=1, keepdim=True)": "",
        "return self.linear(mean)": "return self.linear(mean) / real.sum(dim=1, keepdim=True)",
    },
)
ALL_SCORES_AVERAGED = Mistake(
    MEAN_OVER_ALL.says,
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": "",
        "return self.linear(mean)": "return self.linear(x).mean(dim=1)",
    },
)
NO_MASK = Mistake(
    "The encoder gets no mask, so words attend to padding before the mean is taken. Leaving "
    "padding out of the mean alone is not enough.",
    {"self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder(tokens)"},
    seen="jsboige/CoursIA#15045",
)
NO_MASK_AND_MEAN_OVER_ALL = Mistake(
    "Padding is treated like words: the encoder reads it, and the mean includes it. The scores of "
    "a text then depend on the longest text of its batch.",
    {
        "self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder(tokens)",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=1)""",
    },
    seen="jsboige/CoursIA#15045",
)
MASK_INVERTED = Mistake(
    "The encoder's mask is inverted: padding is read, and words are masked.",
    {"get_src_mask(tokens, self.pad_idx))": "~get_src_mask(tokens, self.pad_idx))"},
    seen="pytorch/pytorch#27968",
)
LOOK_AHEAD_MASK = Mistake(
    "The encoder gets a look-ahead mask, so words cannot see the words after them. A classifier "
    "may read the whole text: mask only the padding.",
    {
        "import get_src_mask": "import get_trg_mask",
        "self.encoder(tokens, get_src_mask(": "self.encoder(tokens, get_trg_mask(",
    },
)
LOOK_AHEAD_ONLY = Mistake(
    "The encoder gets a look-ahead mask without the padding. A classifier may read the whole "
    "text: mask only the padding.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "get_src_mask(tokens, self.pad_idx))": """\
torch.ones(tokens.size(1), tokens.size(1), device=tokens.device).tril())""",
    },
)
MASK_OF_FIRST_TEXT = Mistake(
    "The encoder uses the mask of the first text for all texts. Other texts then lose words or "
    "read their padding.",
    {"get_src_mask(tokens, self.pad_idx))": "get_src_mask(tokens, self.pad_idx)[:1])"},
)
MASK_WITHOUT_AXES = Mistake(
    "The mask of the encoder is (batch_size, seq_length). Without the axes for heads and queries "
    "it does not fit, or it fits by accident and is wrong.",
    {"get_src_mask(tokens, self.pad_idx))": "real)"},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is always treated as padding, and pad_idx is ignored. With another vocabulary, "
    "padding is read and a real word is left out.",
    {"self.pad_idx = pad_idx": "self.pad_idx = 0"},
)
MEAN_WITHOUT_0 = Mistake(
    "The mean always leaves out token 0, and pad_idx is ignored. With another vocabulary, padding "
    "is included and a real word is left out.",
    {"real = tokens != self.pad_idx": "real = tokens != 0"},
)
MASK_WITHOUT_0 = Mistake(
    "The encoder's mask always masks token 0, and pad_idx is ignored. With another vocabulary, "
    "padding is read and a real word is masked.",
    {"get_src_mask(tokens, self.pad_idx))": "get_src_mask(tokens, 0))"},
)
LARGER_THAN_PADDING = Mistake(
    "Only ids above pad_idx count as real. If padding is not token 0, words with smaller ids are "
    "lost.",
    {"real = tokens != self.pad_idx": "real = tokens > self.pad_idx"},
)
PADDING_BY_DEFAULT_1 = Mistake(
    "The default of pad_idx is 1 instead of 0. Padding is then read, and a real word is left out.",
    {"pad_idx: int = 0": "pad_idx: int = 1"},
)
NO_PADDING_BY_DEFAULT = Mistake(
    "By default no token is treated as padding, but it should be token 0. All padding is then "
    "read and included in the mean.",
    {
        "pad_idx: int = 0": "pad_idx: int = -1",
        "num_layer, dropout, pad_idx": "num_layer, dropout, max(pad_idx, 0)",
    },
)
PADDING_WITHOUT_DEFAULT = Mistake(
    "pad_idx has no default, so no classifier can be made without it. Its default should be 0.",
    {
        "pad_idx: int = 0,\n        dropout: float = 0.1": """\
pad_idx: int,
        dropout: float = 0.1"""
    },
)
ZERO_VECTORS_ARE_PADDING = Mistake(
    MEAN_OVER_ALL.says,
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
real = (x != 0).any(dim=-1)
        mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)"""
    },
)
EMPTY_ACCEPTED = Mistake(
    "A text without a real token is accepted. Its mean is 0 / 0 or invented, and one such row can "
    "ruin all weights in training: raise a ValueError.",
    {
        """\
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": ""
    },
    seen="pytorch/pytorch#40932",
)
EMPTY_IS_ZERO = Mistake(
    EMPTY_ACCEPTED.says,
    {
        """\
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": "",
        "real.sum(dim=1, keepdim=True)": "real.sum(dim=1, keepdim=True).clamp(min=1)",
    },
)
EMPTY_WITH_EPSILON = Mistake(
    EMPTY_ACCEPTED.says,
    {
        """\
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": "",
        "real.sum(dim=1, keepdim=True)": "(real.sum(dim=1, keepdim=True) + 1e-9)",
    },
)
NAN_REMOVED = Mistake(
    EMPTY_ACCEPTED.says,
    {
        """\
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": "",
        "self.linear(mean)": "self.linear(mean.nan_to_num())",
    },
)
EMPTY_WARNED_OF = Mistake(
    EMPTY_ACCEPTED.says,
    {
        'raise ValueError(f"row {empty[0]} of the batch has no real token")': """\
print(f"row {empty[0]} of the batch has no real token")"""
    },
)
ONLY_IF_ALL_ARE_EMPTY = Mistake(
    "You refuse a batch only if all its texts are empty. One empty text is enough.",
    {"        if empty:\n": "        if len(empty) == len(tokens):\n"},
)
ONLY_FIRST_TEXT = Mistake(
    "You check only whether the first text is empty. Any other empty text is accepted, and it has "
    "no mean.",
    {"        if empty:\n": "        if empty and empty[0] == 0:\n"},
)
ANY_PADDING_REFUSED = Mistake(
    "You refuse a text with padding although it has words. A text is empty only if all its tokens "
    "are padding.",
    {"(~real.any(dim=1))": "(~real.all(dim=1))"},
)
EMPTY_COLUMN_REFUSED = Mistake(
    "You check whether a position is padding in all texts, instead of whether a text is all "
    "padding. Extra padding is then refused, but an empty text is not.",
    {"(~real.any(dim=1))": "(~real.any(dim=0))"},
)
PADDED_FRONT_REFUSED = Mistake(
    "You refuse a text that begins with padding, although words follow. Padding may stand "
    "anywhere.",
    {"(~real.any(dim=1))": "(~real[:, 0])"},
)
PADDED_END_REFUSED = Mistake(
    ANY_PADDING_REFUSED.says,
    {"(~real.any(dim=1))": "(~real[:, -1])"},
)
ONE_WORD_REFUSED = Mistake(
    "You refuse a text of one token as empty. One token has a mean: itself.",
    {"(~real.any(dim=1))": "(real.sum(dim=1) < 2)"},
)
ONE_WORD_AMONG_LONGER_REFUSED = Mistake(
    "You refuse a text of one token as empty if its batch has longer texts. One token has a mean: "
    "itself.",
    {"(~real.any(dim=1))": "(real.sum(dim=1) < min(2, tokens.size(1)))"},
)
NO_PLACE_IN_COMMON_REFUSED = Mistake(
    "You refuse a batch if no position has real tokens in all texts. That is allowed: check for "
    "each text whether it has a real token.",
    {"        if empty:\n": "        if empty or not real.all(dim=0).any():\n"},
)
EMPTY_BESIDE_FULL = Mistake(
    "An empty text is accepted if its batch has a text without padding. An empty text has no mean.",
    {"        if empty:\n": "        if empty and not real.all(dim=1).any():\n"},
)
LEFT_IN_EVAL = Mistake(
    "The model is in eval mode after a call. From the second training step on, nothing is dropped.",
    {"        # Return the scores.\n": "        # Return the scores.\n        self.eval()\n"},
)
WORDS_DROPPED = Mistake(
    "In train mode, whole words are dropped after the encoder. Dropout should act only in the "
    "encoder.",
    {
        "        # Take the mean of": """\
        x = x * self.encoder.layers[0].feed_forward.dropout(x.new_ones(*x.shape[:2], 1))
        # Take the mean of"""
    },
)
ASSERTED = Mistake(
    "An empty text ends in an AssertionError. Python with -O removes asserts, so raise a "
    "ValueError.",
    {
        """\
        if empty:
            raise ValueError(f"row {empty[0]} of the batch has no real token")
""": """\
        assert not empty, f"row {empty[0]} of the batch has no real token"
"""
    },
)
OTHER_ERROR = Mistake(
    "An empty text is refused, but not with a ValueError. A ValueError says that an argument has "
    "a wrong value.",
    {"raise ValueError(f": "raise RuntimeError(f"},
)
SOFTMAX = Mistake(
    "You apply a softmax at the end, so you return probabilities instead of scores. The loss "
    "applies its own softmax, and with two of them the model learns slowly.",
    {"return self.linear(mean)": "return self.linear(mean).softmax(dim=-1)"},
    seen="lansinuote/Huggingface_Toturials#6",
)
LOG_SOFTMAX = Mistake(
    "You apply a log-softmax at the end, so you return logarithms of probabilities instead of "
    "scores. The loss applies it itself.",
    {"return self.linear(mean)": "return self.linear(mean).log_softmax(dim=-1)"},
)
SIGMOID = Mistake(
    "You apply a sigmoid at the end, so you return numbers between 0 and 1 instead of scores. The "
    "loss needs the scores.",
    {"return self.linear(mean)": "return self.linear(mean).sigmoid()"},
)
RELU_AT_THE_END = Mistake(
    "You apply a ReLU at the end, so no score can be negative. Classes with scores below 0 learn "
    "nothing.",
    {"return self.linear(mean)": "return self.linear(mean).relu()"},
)
RETURNS_CLASSES = Mistake(
    "You return the number of the best class instead of all scores. A loss needs the scores, "
    "because arg-max has no gradient.",
    {"return self.linear(mean)": "return self.linear(mean).argmax(dim=-1)"},
)
RETURNS_MEAN = Mistake(
    "You return the mean itself: the last linear layer is never used.",
    {"return self.linear(mean)": "return mean"},
)
RETURNS_MEAN_TOO = Mistake(
    "You return the mean together with the scores. Return only the scores.",
    {"return self.linear(mean)": "return self.linear(mean), mean"},
)
SQUEEZED = Mistake(
    "You remove axes of size 1 from the scores. With one class or one text, their shape is no "
    "longer (batch_size, num_class).",
    {"return self.linear(mean)": "return self.linear(mean).squeeze()"},
)
TRANSPOSED = Mistake(
    "The axes of the scores are swapped: (num_class, batch_size).",
    {"return self.linear(mean)": "return self.linear(mean).T"},
)
TANH = Mistake(
    "The mean goes through a tanh before the linear layer, as in BERT. This step uses the mean "
    "itself.",
    {"return self.linear(mean)": "return self.linear(mean.tanh())"},
)
RELU_BEFORE = Mistake(
    "The mean goes through a ReLU before the linear layer, which removes all negative values. "
    "This step uses the mean itself.",
    {"return self.linear(mean)": "return self.linear(mean.relu())"},
)
NORMALISED = Mistake(
    "The mean is normalised before the linear layer. This step uses the mean itself: the "
    "encoder's last layer already ends in a normalisation.",
    {
        "return self.linear(mean)": """\
return self.linear(nn.functional.layer_norm(mean, mean.shape[-1:]))"""
    },
)
UNIT_LENGTH = Mistake(
    "The mean is scaled to length 1 before the linear layer, so its own length is lost. This step "
    "uses the mean itself.",
    {"return self.linear(mean)": "return self.linear(nn.functional.normalize(mean, dim=-1))"},
)
CLOSING_NORM = Mistake(
    "There is a normalisation with its own parameters before the linear layer. The encoder's last "
    "layer already ends in one.",
    {
        "        self.linear = nn": "        self.norm = nn.LayerNorm(dim_vector)\n        self.linear = nn",
        "return self.linear(mean)": "return self.linear(self.norm(mean))",
    },
)
HIDDEN_LAYER = Mistake(
    "There are two linear layers after the mean. There should be one.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.linear = nn.Sequential(
            nn.Linear(dim_vector, dim_vector), nn.ReLU(), nn.Linear(dim_vector, num_class)
        )"""
    },
)
DROPOUT_BEFORE = Mistake(
    "Another dropout acts before the linear layer. Dropout should act only in the encoder.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.linear = nn.Linear(dim_vector, num_class)
        self.dropout = nn.Dropout(dropout)""",
        "return self.linear(mean)": "return self.linear(self.dropout(mean))",
    },
)
DROPOUT_IN_FRONT = Mistake(
    DROPOUT_BEFORE.says,
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.linear = nn.Sequential(nn.Dropout(dropout), nn.Linear(dim_vector, num_class))"""
    },
)
FIXED_DROPOUT_BEFORE = Mistake(
    DROPOUT_BEFORE.says,
    {
        "return self.linear(mean)": """\
return self.linear(nn.functional.dropout(mean, 0.1, self.training))"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "A dropout acts before the linear layer even in eval mode. The same text then gets "
    "different scores each time.",
    {
        "return self.linear(mean)": "return self.linear(nn.functional.dropout(mean, 0.1))",
    },
)
DROPOUT_AFTER = Mistake(
    "A dropout acts on the scores, so classes are dropped at random in train mode. Dropout should "
    "act only in the encoder.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.linear = nn.Sequential(nn.Linear(dim_vector, num_class), nn.Dropout(dropout))"""
    },
)
NO_BIAS = Mistake(
    "The last linear layer has no bias, but every linear layer here has one. With it the model "
    "can learn how frequent each class is.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, num_class, bias=False)"},
)
SCORES_FOR_WORDS = Mistake(
    "The last layer has a score for every word of the vocabulary, as in a decoder. A classifier "
    "has one score for each class.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, vocab_size)"},
)
LINEAR_TURNED = Mistake(
    "The sizes of the last layer are swapped: it reads num_class features and returns dim_vector.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(num_class, dim_vector)"},
)
LINEAR_OF_HIDDEN = Mistake(
    "The last layer reads dim_hidden features, but the encoder returns dim_vector. dim_hidden is "
    "only used inside its feed-forward networks.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_hidden, num_class)"},
)
TWO_CLASSES = Mistake(
    "There are always two classes, and num_class is ignored.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, 2)"},
)
ONE_CLASS_TOO_MANY = Mistake(
    "There is one score more than num_class.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, num_class + 1)"},
)
ONE_SCORE_FOR_TWO = Mistake(
    "There is one score less than num_class.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, max(num_class - 1, 1))"},
)
ALL_PLACES_IN_A_ROW = Mistake(
    "All vectors are put in one row before the last layer, which then fits only one text length. "
    "The mean fits texts of all lengths.",
    {
        "nn.Linear(dim_vector, num_class)": "nn.Linear(max_len * dim_vector, num_class)",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.flatten(1)""",
    },
)
LINEAR_MADE_ANEW = Mistake(
    "The last layer is made again in every call of forward. Its weights are random each time and "
    "never learn.",
    {
        "        # Make `linear`, one score for each class.\n"
        "        self.linear = nn.Linear(dim_vector, num_class)\n": """\
        self.sizes = (dim_vector, num_class)
""",
        "return self.linear(mean)": "return nn.Linear(*self.sizes)(mean)",
    },
)
DROPOUT_NOT_HANDED_DOWN = Mistake(
    "dropout is not passed to the encoder, so it uses its default.",
    {"num_layer, dropout, pad_idx\n": "num_layer, padding_idx=pad_idx\n"},
)
NO_DROPOUT = Mistake(
    "Nothing is dropped in training: the encoder is made without dropout, or put into eval "
    "mode in every call. It then overfits small data sets.",
    {"num_layer, dropout, pad_idx\n": "num_layer, 0.0, pad_idx\n"},
)
NO_DROPOUT_BY_DEFAULT = Mistake(
    "By default nothing is dropped. The default of dropout should be 0.1, as in the other steps.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_HALF_BY_DEFAULT = Mistake(
    "By default half of the entries are dropped. The default of dropout should be 0.1, as in the "
    "other steps.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_AND_PADDING_SWAPPED = Mistake(
    "dropout and padding are passed to the encoder in the wrong order. The padding id is then "
    "used as the dropout probability.",
    {"num_layer, dropout, pad_idx\n": "num_layer, pad_idx, dropout\n"},
)
SIX_LAYERS = Mistake(
    "There are always six layers, as in the paper's encoder, and num_layer is ignored.",
    {"dim_hidden, num_layer, dropout, pad_idx\n": "dim_hidden, 6, dropout, pad_idx\n"},
)
ONE_LAYER = Mistake(
    "There is always one layer, and num_layer is ignored.",
    {"dim_hidden, num_layer, dropout, pad_idx\n": "dim_hidden, 1, dropout, pad_idx\n"},
)
ONE_LAYER_TOO_MANY = Mistake(
    "There is one layer more than num_layer.",
    {"dim_hidden, num_layer, dropout, pad_idx\n": "dim_hidden, num_layer + 1, dropout, pad_idx\n"},
)
HIDDEN_AND_LAYERS_SWAPPED = Mistake(
    "dim_hidden and num_layer are passed to the encoder in the wrong order. It then has "
    "dim_hidden layers, which are num_layer features wide inside.",
    {"dim_hidden, num_layer, dropout, pad_idx\n": "num_layer, dim_hidden, dropout, pad_idx\n"},
)
HEADS_AND_LENGTH_SWAPPED = Mistake(
    "n_head and max_len are passed to the encoder in the wrong order. The encoder and the "
    "classifier order their arguments differently, so pass them by name.",
    {"dim_vector, max_len, n_head, dim_hidden,": "dim_vector, n_head, max_len, dim_hidden,"},
)
FOUR_TIMES_HIDDEN = Mistake(
    "The hidden layers are always four times as wide as dim_vector, and dim_hidden is ignored.",
    {"n_head, dim_hidden, num_layer": "n_head, 4 * dim_vector, num_layer"},
)
MAX_LEN_FIXED = Mistake(
    "The encoder accepts texts that are longer than max_len. They should be refused.",
    {"dim_vector, max_len, n_head": "dim_vector, 512, n_head"},
)
MAX_LEN_PLUS_1 = Mistake(
    MAX_LEN_FIXED.says,
    {"dim_vector, max_len, n_head": "dim_vector, max_len + 1, n_head"},
)
TEXT_CUT = Mistake(
    "A text that is longer than max_len is cut without an error. Its end is lost, and nobody "
    "notices.",
    {
        "        # Mark the real": """\
        tokens = tokens[:, : self.encoder.embedding.positional_embedding.pe.size(0)]
        # Mark the real"""
    },
)
ONE_HEAD = Mistake(
    "The encoder always has one head, and n_head is ignored.",
    {"dim_vector, max_len, n_head": "dim_vector, max_len, 1"},
)
ONE_WORD_MORE = Mistake(
    "The table has one row more than vocab_size. Padding already is one of the tokens.",
    {
        "vocab_size, dim_vector, max_len": "vocab_size + 1, dim_vector, max_len",
    },
)
ROW_0_FROZEN = Mistake(
    "The encoder's padding is always token 0, and pad_idx is ignored. With another vocabulary, "
    "token 0 is a real word and never learns.",
    {"num_layer, dropout, pad_idx\n": "num_layer, dropout, 0\n"},
)
EMBEDDING_ONLY = Mistake(
    "Only the embedding is used, and the layers of the encoder never run. No word then sees "
    "another.",
    {"self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder.embedding(tokens)"},
)
ENCODER_FROZEN = Mistake(
    "No gradient reaches the encoder, so only the last layer learns. That suits a trained "
    "encoder, but this one is not trained yet.",
    {"return self.linear(mean)": "return self.linear(mean.detach())"},
)
ENCODER_ALWAYS_IN_EVAL = Mistake(
    NO_DROPOUT.says,
    {"        # Encode the text": "        self.encoder.eval()\n        # Encode the text"},
)
TOKENS_OVERWRITTEN = Mistake(
    "You overwrite the caller's token ids. Code that uses them later reads wrong tokens.",
    {
        "        # Take the mean": """\
        tokens[~real] = 0
        # Take the mean"""
    },
)
PLAIN_LIST = Mistake(
    "Encoder and linear layer are in a plain list, tuple or dictionary, where PyTorch does not "
    "find them. They are not trained, saved or moved with the model.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.parts = [self.encoder, nn.Linear(dim_vector, num_class)]
        del self.encoder""",
        "x = self.encoder(": "x = self.parts[0](",
        "return self.linear(": "return self.parts[1](",
    },
)
SECOND_ENCODER = Mistake(
    "A second encoder is made and never used. Its parameters get no gradient and take up memory.",
    {
        "        # Make `linear`": """\
        self.other = Encoder(vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer)
        # Make `linear`"""
    },
)
TIMES_ROOT = Mistake(
    "The mean is multiplied by the square root of dim_vector. The paper does so with embeddings; "
    "here the mean is used as it is.",
    {"return self.linear(mean)": "return self.linear(mean * mean.size(-1) ** 0.5)"},
)
RELU_BEFORE_THE_MEAN = Mistake(
    "Negative values of the encoder's output are set to 0 before the mean. About half of its "
    "information is lost.",
    {"x.masked_fill(~real": "x.relu().masked_fill(~real"},
)
MASK_KEPT = Mistake(
    "The mask of an earlier batch is used again for a later batch of the same size. That batch has "
    "padding in other places.",
    {
        "        x = self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": """\
        if getattr(self, "mask", None) is None or self.mask.size(-1) != tokens.size(1):
            self.mask = get_src_mask(tokens, self.pad_idx)
        x = self.encoder(tokens, self.mask[: len(tokens)])"""
    },
)
NO_MASK_IN_TRAINING = Mistake(
    "In train mode the encoder gets no mask. It learns with padding in its words, but it is used "
    "without.",
    {
        "get_src_mask(tokens, self.pad_idx))": """\
None if self.training else get_src_mask(tokens, self.pad_idx))"""
    },
)
ONE_TEXT_WITHOUT_AXIS = Mistake(
    "With one text in the batch, the first axis is removed. The scores should be (batch_size, "
    "num_class) for every batch.",
    {"return self.linear(mean)": "return self.linear(mean).squeeze(0)"},
)
MEAN_MADE_HERE = Mistake(
    "A tensor is made on the default device instead of the text's device. On a GPU the two cannot "
    "be combined.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = torch.zeros(len(x), x.size(-1), dtype=x.dtype)
        for n, row in enumerate(x):
            mean[n] = row[real[n]].mean(dim=0)""",
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
    },
)
PADDING_MADE_HERE = Mistake(
    MEAN_MADE_HERE.says,
    {
        "real = tokens != self.pad_idx\n": """\
real = tokens != torch.full((tokens.size(1),), self.pad_idx)
""",
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
    },
)
PADDING_OF_ALL_CUT_OFF = Mistake(
    "Positions where all texts have padding are cut out, even at the front. Later words get other "
    "positions, so the scores depend on the other texts.",
    {
        "        # Encode the text": """\
        tokens, real = tokens[:, real.any(dim=0)], real[:, real.any(dim=0)]
        # Encode the text"""
    },
)
ONE_SCORE_FOR_TWO_CLASSES = Mistake(
    "Two classes get one score. There should be one score for each class, even if there are two.",
    {
        "nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, num_class if num_class > 2 else 1)"
    },
)
MASK_KEPT_BY_SHAPE = Mistake(
    MASK_KEPT.says,
    {
        "        x = self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": """\
        kept = self.__dict__.setdefault("kept", {})
        key = tuple(tokens.shape), tokens.device
        x = self.encoder(tokens, kept.setdefault(key, get_src_mask(tokens, self.pad_idx)))"""
    },
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "The encoder never has more than twelve layers, even if num_layer is larger.",
    {
        "max_len, n_head, dim_hidden, num_layer, dropout, pad_idx": "max_len, n_head, dim_hidden, min(num_layer, 12), dropout, pad_idx"
    },
)
AT_MOST_512_TOKENS = Mistake(
    "A text never has more than 512 tokens, even if max_len is larger.",
    {
        "max_len, n_head, dim_hidden, num_layer, dropout, pad_idx": "min(max_len, 512), n_head, dim_hidden, num_layer, dropout, pad_idx"
    },
)
EMPTY_BY_THE_SUM = Mistake(
    "You take a text for empty if the sum of its ids is that of a row of padding. Real tokens can "
    "have this sum too: compare each token.",
    {
        "(~real.any(dim=1))": "(tokens.sum(dim=1) == self.pad_idx * tokens.size(1))",
    },
)
EMPTY_ALONE = Mistake(
    "An empty text is accepted if it is alone in its batch. It has no mean there either.",
    {"if empty:": "if empty and len(tokens) > 1:"},
)
NO_GRADIENT_IN_EVAL_MODE = Mistake(
    "The encoder gets a gradient in train mode only. Eval mode turns off dropout, nothing else: "
    "gradients flow there, too.",
    {
        "        x = self.encoder(tokens, get_src_mask(tokens, self.pad_idx))\n": """\
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            x = self.encoder(tokens, get_src_mask(tokens, self.pad_idx))
""",
        "from torch import": "import torch\nfrom torch import",
    },
)
MARKS_WITHOUT_AXIS = Mistake(
    "The marks of real tokens are (batch_size, seq), but x has an axis of features, too. Give the"
    " marks this axis: real[..., None].",
    {"~real[..., None]": "~real"},
)
TOKENS_OF_ALL_ROWS = Mistake(
    "x[real] has the real tokens of all rows, so there is one mean for the whole batch. Each row "
    "needs a mean of its own.",
    {
        "x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": "x[real].mean(dim=0)"
    },
)

SOFTMAX_IN_EVAL = Mistake(
    "In eval mode probabilities come back instead of logits. Both modes return logits.",
    {
        "return self.linear(mean)": """\
logits = self.linear(mean)
        return logits if self.training else logits.softmax(dim=-1)"""
    },
)
MEAN_UP_TO_THE_LAST = Mistake(
    "The mean runs from the first place to the last real token. Padding before that token is in "
    "it, too, so leave out every padding token.",
    {
        "        # Take the mean": """\
        real = real.flip(1).cummax(dim=1).values.flip(1)
        # Take the mean"""
    },
)
MEAN_UP_TO_THE_FIRST_PADDING = Mistake(
    "The mean ends at the first padding token. Padding may stand at the front or in the middle, "
    "and the words after it belong to the text.",
    {
        "        # Take the mean": """\
        real = real & ((~real).cumsum(dim=1) <= (~real[:, :1]).cumprod(dim=1))
        # Take the mean"""
    },
)
SUM_WITHOUT_0 = Mistake(
    "The sum always leaves out token 0, and pad_idx is ignored there. With another vocabulary, "
    "padding is summed and a real word is left out.",
    {"x.masked_fill(~real[..., None], 0)": "x.masked_fill((tokens == 0)[..., None], 0)"},
)
COUNT_WITHOUT_0 = Mistake(
    "The number that you divide by always leaves out token 0, and pad_idx is ignored there. With "
    "another vocabulary, padding is counted and a real word is not.",
    {"/ real.sum(dim=1, keepdim=True)": "/ (tokens != 0).sum(dim=1, keepdim=True)"},
)
ONE_CLASS_WITHOUT_AXIS = Mistake(
    "With one class, the last axis is removed. The scores should be (batch_size, num_class) for "
    "every number of classes.",
    {"return self.linear(mean)": "return self.linear(mean).squeeze(-1)"},
)
NO_MASK_IN_EVAL = Mistake(
    "In eval mode the encoder gets no mask, so words attend to padding. Both modes need the mask.",
    {
        "get_src_mask(tokens, self.pad_idx))": """\
get_src_mask(tokens, self.pad_idx) if self.training else None)"""
    },
)
CLASSES_IN_EVAL = Mistake(
    "In eval mode the number of the best class comes back instead of the scores. Both modes return "
    "the scores.",
    {
        "return self.linear(mean)": """\
scores = self.linear(mean)
        return scores if self.training else scores.argmax(dim=-1)"""
    },
)
PADDING_IN_THE_MEAN_IN_EVAL = Mistake(
    "In eval mode the mean includes padding. The scores of a text then depend on the longest text "
    "of its batch.",
    {
        "        # Return the scores.": """\
        if not self.training:
            mean = x.mean(dim=1)
        # Return the scores."""
    },
)
PADDING_IN_THE_MEAN_IN_TRAINING = Mistake(
    "In train mode the mean includes padding. The model then learns with other vectors than it is "
    "used with.",
    {
        "        # Return the scores.": """\
        if self.training:
            mean = x.mean(dim=1)
        # Return the scores."""
    },
)
EMPTY_ACCEPTED_IN_EVAL = Mistake(
    "In eval mode a text without a real token is accepted. It has no mean in either mode: raise a "
    "ValueError.",
    {"if empty:": "if empty and self.training:"},
)
EMPTY_ACCEPTED_IN_TRAINING = Mistake(
    "In train mode a text without a real token is accepted. One such row can ruin all weights: "
    "raise a ValueError.",
    {"if empty:": "if empty and not self.training:"},
)

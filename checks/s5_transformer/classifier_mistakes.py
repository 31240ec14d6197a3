"""What people get wrong in s5_transformer/classifier.py.

Not here, on purpose:
- padding_idx not handed down to the encoder: it is open;
- what the refusal of an empty text says, beside being a ValueError.
"""

from checks.machine.known import Mistake

MEAN_OVER_ALL = Mistake(
    "Padding is averaged in, so the scores of a text depend on the longest text of its batch.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=1)"""
    },
    seen="dmlc/gluon-nlp#480, dbiir/UER-py#190, facebookresearch/InferSent#51",
)
DIVIDED_BY_LENGTH = Mistake(
    "The sum is over real tokens, but it is divided by the length of the row, padding counted. "
    "The more padding there is, the smaller the mean.",
    {"/ real.sum(dim=1, keepdim=True)": "/ tokens.size(1)"},
    seen="dbiir/UER-py#190",
)
MEAN_OF_FILLED = Mistake(
    DIVIDED_BY_LENGTH.says,
    {".sum(dim=1) / real.sum(dim=1, keepdim=True)": ".mean(dim=1)"},
)
PADDING_SUMMED = Mistake(
    "The sum runs over padding as well, though it is divided by the number of real tokens: what "
    "the encoder makes of padding is added to the text.",
    {"x.masked_fill(~real[..., None], 0).sum(dim=1)": "x.sum(dim=1)"},
)
SUM = Mistake(
    "The tokens are summed up and not divided by their number, so long texts get larger scores "
    "than short ones.",
    {" / real.sum(dim=1, keepdim=True)": ""},
)
PADDING_FILLED_WITH_1 = Mistake(
    "Where there is padding, ones are put before the sum. They count like words; zeros do not.",
    {"masked_fill(~real[..., None], 0)": "masked_fill(~real[..., None], 1)"},
)
FILLED_WITH_INFINITY = Mistake(
    "Padding is set to minus infinity before the sum, which is then infinite. That is how scores "
    "are hidden from a softmax; from a sum, zero hides.",
    {"masked_fill(~real[..., None], 0)": 'masked_fill(~real[..., None], float("-inf"))'},
)
FILL_INVERTED = Mistake(
    "The words are set to zero and the padding is summed up: the mask is the wrong way round.",
    {"masked_fill(~real[..., None], 0)": "masked_fill(real[..., None], 0)"},
)
COUNT_INVERTED = Mistake(
    "The sum is divided by the number of padding tokens, not of real ones.",
    {"/ real.sum(dim=1, keepdim=True)": "/ (~real).sum(dim=1, keepdim=True)"},
)
COUNT_OF_BATCH = Mistake(
    "The sum of each text is divided by the number of real tokens in the whole batch, so every "
    "further text makes the means smaller.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum()"},
)
COUNT_OF_LONGEST = Mistake(
    "Every sum is divided by the number of tokens of the longest text, so a text's scores depend "
    "on what else is in its batch.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1).max()"},
)
COUNT_OF_FIRST = Mistake(
    "Every sum is divided by the number of tokens of the first text, which is right for the "
    "first alone.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real[0].sum()"},
)
MEAN_COUNT = Mistake(
    "Every sum is divided by the mean number of tokens in the batch, so a text's scores depend "
    "on what else is in its batch.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1).float().mean()"},
)
COUNT_PLUS_1 = Mistake(
    "The sum is divided by one more than the number of tokens, so that it is never 0. That "
    "spoils every mean, those of short texts most; an empty text is to be refused.",
    {"/ real.sum(dim=1, keepdim=True)": "/ (real.sum(dim=1, keepdim=True) + 1)"},
)
COUNT_OF_2 = Mistake(
    "The number to divide by is 2 or more, so the mean of a text of one token is half of what it "
    "should be.",
    {
        "/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1, keepdim=True).clamp(min=2)",
    },
)
ROOT_OF_COUNT = Mistake(
    "The sum is divided by the root of the number of tokens, not by the number: it still grows "
    "with the length of the text.",
    {"/ real.sum(dim=1, keepdim=True)": "/ real.sum(dim=1, keepdim=True).sqrt()"},
)
TIMES_COUNT = Mistake(
    "The sum is multiplied by the number of tokens instead of divided by it.",
    {"/ real.sum(dim=1, keepdim=True)": "* real.sum(dim=1, keepdim=True)"},
)
COUNT_WITHOUT_AXIS = Mistake(
    "The numbers of tokens lie along the wrong axis: (batch_size,) is divided into the features, "
    "where (batch_size, 1) is needed.",
    {"real.sum(dim=1, keepdim=True)": "real.sum(dim=1)"},
)
COUNT_PER_PLACE = Mistake(
    "What is counted is how many texts have a real token at each place, not how many tokens each "
    "text has.",
    {"real.sum(dim=1, keepdim=True)": "real.sum(dim=0, keepdim=True)"},
)
MAXIMUM = Mistake(
    "Of every feature the largest value is taken, not the mean. That is another way to put a "
    "text into one vector; this step asks for the mean.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.masked_fill(~real[..., None], float("-inf")).amax(dim=1)"""
    },
)
MAXIMUM_WITH_PADDING = Mistake(
    "Of every feature the largest value is taken, padding included. Padding competes for it, and "
    "this step asks for the mean of the real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.amax(dim=1)"""
    },
    seen="allenai/allennlp#4739",
)
MAXIMUM_WITH_ZEROS = Mistake(
    "Of every feature the largest value is taken, with zeros where there is padding: they win "
    "wherever all values are negative. This step asks for the mean.",
    {".sum(dim=1) / real.sum(dim=1, keepdim=True)": ".amax(dim=1)"},
    seen="allenai/allennlp#4739",
)
FIRST_TOKEN = Mistake(
    "Only the first token's vector is scored, as in BERT, which has a token of its own there. "
    "Here it may even be padding; the step asks for the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[:, 0]"""
    },
)
LAST_TOKEN = Mistake(
    "Only the vector at the last place is scored, which is padding in all but the longest text. "
    "The step asks for the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[:, -1]"""
    },
)
LAST_REAL_TOKEN = Mistake(
    "Only the last real token's vector is scored. That suits a model that reads from left to "
    "right; an encoder's tokens have all seen everything, and the step asks for their mean.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
place = torch.arange(tokens.size(1), device=tokens.device)
        last = (real * place).argmax(dim=1)
        mean = x[torch.arange(len(tokens), device=tokens.device), last]""",
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
    },
)
LAST_BY_COUNT = Mistake(
    "Only one vector is scored, at the place that the number of real tokens gives. It is the last "
    "real one's if all padding stands at the end; the step asks for the mean of all real tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[range(len(tokens)), real.sum(dim=1) - 1]"""
    },
)
AS_MANY_AS_ARE_REAL = Mistake(
    "As many vectors are averaged as there are real tokens, but the first ones. If padding stands "
    "in front or inside, it is among them, and words are left out.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
counts = real.sum(dim=1, keepdim=True)
        first = (real | True).cumsum(dim=1) <= counts
        mean = x.masked_fill(~first[..., None], 0).sum(dim=1) / counts"""
    },
)
CUT_TO_THE_LARGEST_COUNT = Mistake(
    "The batch is cut to as many places as its longest text has real tokens. If padding stands in "
    "front or inside, that cuts words off.",
    {
        "        # Encode the text": """\
        tokens, real = (x[:, : int(real.sum(dim=1).max())] for x in (tokens, real))
        # Encode the text"""
    },
)
FIRST_AND_LAST = Mistake(
    "The mean is of the first and the last place only. The step asks for the mean of all real "
    "tokens.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = (x[:, 0] + x[:, -1]) / 2"""
    },
)
MEAN_OVER_BATCH = Mistake(
    "The mean runs over the texts of the batch. It must run over the tokens of one text, so that "
    "there is one vector for each text.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=0)"""
    },
)
MEAN_OVER_FEATURES = Mistake(
    "The mean runs over the features of each token. It must run over the tokens of one text, so "
    "that one vector of dim_vector numbers is left.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=-1)"""
    },
)
SUM_OVER_FEATURES = Mistake(
    "The sum runs over the features of each token. It must run over the tokens of one text.",
    {"masked_fill(~real[..., None], 0).sum(dim=1)": "masked_fill(~real[..., None], 0).sum(dim=-1)"},
)
ONE_MEAN_FOR_ALL = Mistake(
    "One mean is taken of all real tokens of the batch together, so every text gets the same "
    "scores.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[real].mean(dim=0).expand(len(tokens), -1)"""
    },
)
FIRST_TEXT_FOR_ALL = Mistake(
    "All texts are averaged by the mask of the first one: longer texts lose words, and shorter "
    "ones take padding in.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x[:, real[0]].mean(dim=1)"""
    },
)
NO_MEAN = Mistake(
    "No mean is taken: there are scores for every token, where one row for each text is asked for.",
    {
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x"""
    },
)
BIAS_DIVIDED = Mistake(
    "The linear layer is applied to the sum and its scores are divided, its bias with them. The "
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
    "The encoder gets no mask, so words read the padding before the mean is taken. Hiding it in "
    "the mean alone comes too late.",
    {"self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder(tokens)"},
    seen="jsboige/CoursIA#15045",
)
NO_MASK_AND_MEAN_OVER_ALL = Mistake(
    "Padding is treated like words everywhere: the encoder reads it, and the mean counts it. The "
    "scores of a text depend on the longest text of its batch.",
    {
        "self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder(tokens)",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.mean(dim=1)""",
    },
    seen="jsboige/CoursIA#15045",
)
MASK_INVERTED = Mistake(
    "The encoder gets its mask the wrong way round: padding is read, and words are hidden.",
    {"get_src_mask(tokens, self.pad_idx))": "~get_src_mask(tokens, self.pad_idx))"},
    seen="pytorch/pytorch#27968",
)
LOOK_AHEAD_MASK = Mistake(
    "The encoder gets a look-ahead mask, so words do not see those after them. A classifier may "
    "read the whole text in both directions; nothing has to be hidden but padding.",
    {
        "import get_src_mask": "import get_trg_mask",
        "self.encoder(tokens, get_src_mask(": "self.encoder(tokens, get_trg_mask(",
    },
)
LOOK_AHEAD_ONLY = Mistake(
    "The encoder gets a look-ahead mask without the padding. A classifier may read the whole "
    "text in both directions, and padding is what has to be hidden.",
    {
        "from torch import Tensor, nn": "import torch\nfrom torch import Tensor, nn",
        "get_src_mask(tokens, self.pad_idx))": """\
torch.ones(tokens.size(1), tokens.size(1), device=tokens.device).tril())""",
    },
)
MASK_OF_FIRST_TEXT = Mistake(
    "The encoder gets the mask of the first text for all of them, so others lose words, or read "
    "their padding.",
    {"get_src_mask(tokens, self.pad_idx))": "get_src_mask(tokens, self.pad_idx)[:1])"},
)
MASK_WITHOUT_AXES = Mistake(
    "The encoder gets a mask of (batch_size, seq_length). The axes for heads and queries are "
    "missing, so it does not fit, or worse, fits by chance.",
    {"get_src_mask(tokens, self.pad_idx))": "real)"},
)
PADDING_FIXED_0 = Mistake(
    "Token 0 is taken for padding, whatever pad_idx is. With another vocabulary padding is read "
    "as a word, and a real word is left out.",
    {"self.pad_idx = pad_idx": "self.pad_idx = 0"},
)
MEAN_WITHOUT_0 = Mistake(
    "The mean leaves out token 0, whatever pad_idx is. With another vocabulary padding is "
    "averaged in, and a real word is left out.",
    {"real = tokens != self.pad_idx": "real = tokens != 0"},
)
MASK_WITHOUT_0 = Mistake(
    "The encoder's mask hides token 0, whatever pad_idx is. With another vocabulary padding is "
    "read, and a real word is hidden.",
    {"get_src_mask(tokens, self.pad_idx))": "get_src_mask(tokens, 0))"},
)
LARGER_THAN_PADDING = Mistake(
    "Only ids above pad_idx count as real. That is right for padding 0 alone: with another, the "
    "words with smaller numbers are lost.",
    {"real = tokens != self.pad_idx": "real = tokens > self.pad_idx"},
)
PADDING_BY_DEFAULT_1 = Mistake(
    "Without pad_idx, token 1 is taken for padding, not 0: padding is read, and a real word is "
    "left out.",
    {"pad_idx: int = 0": "pad_idx: int = 1"},
)
NO_PADDING_BY_DEFAULT = Mistake(
    "Without pad_idx no token is taken for padding, where it should be token 0: all padding is "
    "read and averaged in.",
    {
        "pad_idx: int = 0": "pad_idx: int = -1",
        "num_layer, dropout, pad_idx": "num_layer, dropout, max(pad_idx, 0)",
    },
)
PADDING_WITHOUT_DEFAULT = Mistake(
    "pad_idx has no default, so the classifier cannot be made without it. It should be 0 then.",
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
    "A text without a real token is accepted. Its mean is 0 / 0 or made up, and in training one "
    "such row spoils every weight: it should be refused with a ValueError.",
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
    "An empty text among others is not refused, as a batch is where all are empty. It has no mean.",
    {"        if empty:\n": "        if len(empty) == len(tokens):\n"},
)
ONLY_FIRST_TEXT = Mistake(
    "Only the first text is looked at. An empty one behind it goes through, and has no mean.",
    {"        if empty:\n": "        if empty and empty[0] == 0:\n"},
)
ANY_PADDING_REFUSED = Mistake(
    "A text is refused because there is padding in it, though it has words. Only a text with "
    "nothing but padding is empty.",
    {"(~real.any(dim=1))": "(~real.all(dim=1))"},
)
EMPTY_COLUMN_REFUSED = Mistake(
    "It is asked whether a place has no real token in any text, not whether a text has none. A "
    "batch that is padded further than its longest text is refused, an empty text is not.",
    {"(~real.any(dim=1))": "(~real.any(dim=0))"},
)
PADDED_FRONT_REFUSED = Mistake(
    "A text that begins with padding is refused as empty, though words follow. Padding may stand "
    "anywhere.",
    {"(~real.any(dim=1))": "(~real[:, 0])"},
)
PADDED_END_REFUSED = Mistake(
    ANY_PADDING_REFUSED.says,
    {"(~real.any(dim=1))": "(~real[:, -1])"},
)
ONE_WORD_REFUSED = Mistake(
    "A text of one token is refused as empty. One token has a mean: itself.",
    {"(~real.any(dim=1))": "(real.sum(dim=1) < 2)"},
)
ONE_WORD_AMONG_LONGER_REFUSED = Mistake(
    "A text of one token is refused as empty where it stands beside longer ones. One token has a "
    "mean: itself.",
    {"(~real.any(dim=1))": "(real.sum(dim=1) < min(2, tokens.size(1)))"},
)
NO_PLACE_IN_COMMON_REFUSED = Mistake(
    "A batch is refused where no place has real tokens in all texts. That is no fault: each text "
    "is to be asked whether it has one.",
    {"        if empty:\n": "        if empty or not real.all(dim=0).any():\n"},
)
EMPTY_BESIDE_FULL = Mistake(
    "An empty text goes through where one without padding stands beside it, and has no mean.",
    {"        if empty:\n": "        if empty and not real.all(dim=1).any():\n"},
)
LEFT_IN_EVAL = Mistake(
    "The model is in eval mode after a call. From the second step of a training on, nothing is "
    "dropped any more.",
    {"        # Return the scores.\n": "        # Return the scores.\n        self.eval()\n"},
)
WORDS_DROPPED = Mistake(
    "In training whole words are dropped after the encoder. Dropout acts in the encoder alone.",
    {
        "        # Take the mean of": """\
        x = x * self.encoder.layers[0].feed_forward.dropout(x.new_ones(*x.shape[:2], 1))
        # Take the mean of"""
    },
)
ASSERTED = Mistake(
    "An empty text ends in an AssertionError. assert is for what can never happen and vanishes "
    "under python -O; a wrong argument is a ValueError.",
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
    "An empty text is refused, but not with a ValueError, which is what says that an argument "
    "has a wrong value.",
    {"raise ValueError(f": "raise RuntimeError(f"},
)
SOFTMAX = Mistake(
    "A softmax is applied at the end, so probabilities come out instead of scores. The loss "
    "applies its own softmax; applied twice, learning is slow and never sure.",
    {"return self.linear(mean)": "return self.linear(mean).softmax(dim=-1)"},
    seen="lansinuote/Huggingface_Toturials#6",
)
LOG_SOFTMAX = Mistake(
    "A log-softmax is applied at the end, so logarithms of probabilities come out instead of "
    "scores. The loss does that itself.",
    {"return self.linear(mean)": "return self.linear(mean).log_softmax(dim=-1)"},
)
SIGMOID = Mistake(
    "A sigmoid is applied at the end, so numbers between 0 and 1 come out instead of scores. What "
    "becomes of the scores is the loss's affair.",
    {"return self.linear(mean)": "return self.linear(mean).sigmoid()"},
)
RELU_AT_THE_END = Mistake(
    "A ReLU is applied at the end, so no score can be negative, and classes below zero learn "
    "nothing.",
    {"return self.linear(mean)": "return self.linear(mean).relu()"},
)
RETURNS_CLASSES = Mistake(
    "The number of the best class comes back, not the scores of all. A loss needs the scores, "
    "and no gradient passes an argmax.",
    {"return self.linear(mean)": "return self.linear(mean).argmax(dim=-1)"},
)
RETURNS_MEAN = Mistake(
    "The mean comes back unscored: the last linear layer is made and never used.",
    {"return self.linear(mean)": "return mean"},
)
RETURNS_MEAN_TOO = Mistake(
    "The mean comes back beside the scores. Only the scores are asked for.",
    {"return self.linear(mean)": "return self.linear(mean), mean"},
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed from the scores. With one class, or one text, their shape is no "
    "longer (batch_size, num_class).",
    {"return self.linear(mean)": "return self.linear(mean).squeeze()"},
)
TRANSPOSED = Mistake(
    "The scores come out with their axes exchanged: (num_class, batch_size).",
    {"return self.linear(mean)": "return self.linear(mean).T"},
)
TANH = Mistake(
    "The mean goes through a tanh before it is scored. (BERT has a layer of that kind.) This step "
    "scores the mean itself.",
    {"return self.linear(mean)": "return self.linear(mean.tanh())"},
)
RELU_BEFORE = Mistake(
    "The mean goes through a ReLU before it is scored, which throws away all that is negative. "
    "This step scores the mean itself.",
    {"return self.linear(mean)": "return self.linear(mean.relu())"},
)
NORMALISED = Mistake(
    "The mean is normalised before it is scored. This step scores the mean itself; the encoder's "
    "last layer already ends in a norm.",
    {
        "return self.linear(mean)": """\
return self.linear(nn.functional.layer_norm(mean, mean.shape[-1:]))"""
    },
)
UNIT_LENGTH = Mistake(
    "The mean is brought to length 1 before it is scored, so how far the tokens agree is lost. "
    "This step scores the mean itself.",
    {"return self.linear(mean)": "return self.linear(nn.functional.normalize(mean, dim=-1))"},
)
CLOSING_NORM = Mistake(
    "A normalisation with parameters of its own stands before the linear layer. The encoder's "
    "last layer already ends in one.",
    {
        "        self.linear = nn": "        self.norm = nn.LayerNorm(dim_vector)\n        self.linear = nn",
        "return self.linear(mean)": "return self.linear(self.norm(mean))",
    },
)
HIDDEN_LAYER = Mistake(
    "There are two linear layers after the mean, where one is asked for.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.linear = nn.Sequential(
            nn.Linear(dim_vector, dim_vector), nn.ReLU(), nn.Linear(dim_vector, num_class)
        )"""
    },
)
DROPOUT_BEFORE = Mistake(
    "A dropout of its own acts before the linear layer. In this step dropout acts in the encoder "
    "alone.",
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
    "A dropout acts before the linear layer even in eval mode, so the same text gets other scores "
    "each time.",
    {
        "return self.linear(mean)": "return self.linear(nn.functional.dropout(mean, 0.1))",
    },
)
DROPOUT_AFTER = Mistake(
    "A dropout acts on the scores themselves, so that in training classes fall out at random. In "
    "this step dropout acts in the encoder alone.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.linear = nn.Sequential(nn.Linear(dim_vector, num_class), nn.Dropout(dropout))"""
    },
)
NO_BIAS = Mistake(
    "The last linear layer has no bias. All linear layers of this course have one: a class may be "
    "rare or frequent, whatever the text.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, num_class, bias=False)"},
)
SCORES_FOR_WORDS = Mistake(
    "The last layer has a score for every word of the vocabulary, as a decoder has. A classifier "
    "has one for each class.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, vocab_size)"},
)
LINEAR_TURNED = Mistake(
    "The last layer is made the wrong way round: it takes num_class numbers and gives dim_vector.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(num_class, dim_vector)"},
)
LINEAR_OF_HIDDEN = Mistake(
    "The last layer takes dim_hidden numbers. The encoder gives dim_vector; dim_hidden is used "
    "inside its feed-forward networks only.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_hidden, num_class)"},
)
TWO_CLASSES = Mistake(
    "There are always two classes, and num_class is ignored.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, 2)"},
)
ONE_CLASS_TOO_MANY = Mistake(
    "There is one class more than num_class asks for.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, num_class + 1)"},
)
ONE_SCORE_FOR_TWO = Mistake(
    "There is one class less than num_class asks for.",
    {"nn.Linear(dim_vector, num_class)": "nn.Linear(dim_vector, max(num_class - 1, 1))"},
)
ALL_PLACES_IN_A_ROW = Mistake(
    "All vectors are laid in one row before the last layer, which is then made for one length of "
    "text only. The mean is what makes texts of all lengths alike.",
    {
        "nn.Linear(dim_vector, num_class)": "nn.Linear(max_len * dim_vector, num_class)",
        "mean = x.masked_fill(~real[..., None], 0).sum(dim=1) / real.sum(dim=1, keepdim=True)": """\
mean = x.flatten(1)""",
    },
)
LINEAR_MADE_ANEW = Mistake(
    "The last layer is made in forward, anew in every call: its weights are random each time, and "
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
    "The dropout that is asked for does not reach the encoder, which uses its own default.",
    {"num_layer, dropout, pad_idx\n": "num_layer, padding_idx=pad_idx\n"},
)
NO_DROPOUT = Mistake(
    "Nothing is dropped in training, whatever is asked for: the encoder is made without dropout, "
    "or put into eval mode in every call. It soon knows few texts by heart then.",
    {"num_layer, dropout, pad_idx\n": "num_layer, 0.0, pad_idx\n"},
)
NO_DROPOUT_BY_DEFAULT = Mistake(
    "Without a dropout being named there is none. The default is 0.1, as everywhere.",
    {"dropout: float = 0.1": "dropout: float = 0.0"},
)
DROPOUT_HALF_BY_DEFAULT = Mistake(
    "Without a dropout being named half of the numbers are dropped. The default is 0.1, as "
    "everywhere.",
    {"dropout: float = 0.1": "dropout: float = 0.5"},
)
DROPOUT_AND_PADDING_SWAPPED = Mistake(
    "dropout and padding are handed to the encoder in the wrong order, so padding's number is "
    "taken for a share to be dropped.",
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
    "There is one layer more than num_layer asks for.",
    {"dim_hidden, num_layer, dropout, pad_idx\n": "dim_hidden, num_layer + 1, dropout, pad_idx\n"},
)
HIDDEN_AND_LAYERS_SWAPPED = Mistake(
    "dim_hidden and num_layer change places on their way to the encoder: it gets as many layers "
    "as there should be hidden features.",
    {"dim_hidden, num_layer, dropout, pad_idx\n": "num_layer, dim_hidden, dropout, pad_idx\n"},
)
HEADS_AND_LENGTH_SWAPPED = Mistake(
    "n_head and max_len change places on their way to the encoder. Its arguments have another "
    "order than those of the classifier; names keep them apart.",
    {"dim_vector, max_len, n_head, dim_hidden,": "dim_vector, n_head, max_len, dim_hidden,"},
)
FOUR_TIMES_HIDDEN = Mistake(
    "The hidden layers are always four times as wide as the vectors, and dim_hidden is ignored.",
    {"n_head, dim_hidden, num_layer": "n_head, 4 * dim_vector, num_layer"},
)
MAX_LEN_FIXED = Mistake(
    "The encoder takes longer texts than max_len: the limit is fixed, and a text that is too long "
    "is not refused.",
    {"dim_vector, max_len, n_head": "dim_vector, 512, n_head"},
)
MAX_LEN_PLUS_1 = Mistake(
    MAX_LEN_FIXED.says,
    {"dim_vector, max_len, n_head": "dim_vector, max_len + 1, n_head"},
)
TEXT_CUT = Mistake(
    "A text that is longer than max_len is cut without a word. Its end is lost, and nobody is "
    "told.",
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
    "The table has one row more than the vocabulary has tokens. Padding is one of them: it has "
    "its number already.",
    {
        "vocab_size, dim_vector, max_len": "vocab_size + 1, dim_vector, max_len",
    },
)
ROW_0_FROZEN = Mistake(
    "The encoder freezes token 0, whatever pad_idx is. With another vocabulary token 0 is a real "
    "word, and never learns.",
    {"num_layer, dropout, pad_idx\n": "num_layer, dropout, 0\n"},
)
EMBEDDING_ONLY = Mistake(
    "Only the embedding is used: the layers of the encoder are made, but never run, so no word "
    "sees another.",
    {"self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": "self.encoder.embedding(tokens)"},
)
ENCODER_FROZEN = Mistake(
    "No gradient reaches the encoder, so only the last layer learns. That is done to classifiers "
    "on top of a trained encoder; this one knows nothing yet.",
    {"return self.linear(mean)": "return self.linear(mean.detach())"},
)
ENCODER_ALWAYS_IN_EVAL = Mistake(
    NO_DROPOUT.says,
    {"        # Encode the text": "        self.encoder.eval()\n        # Encode the text"},
)
TOKENS_OVERWRITTEN = Mistake(
    "The ids that are handed over are overwritten, and so spoilt for whoever uses them later.",
    {
        "        # Take the mean": """\
        tokens[~real] = 0
        # Take the mean"""
    },
)
PLAIN_LIST = Mistake(
    "Encoder and linear layer sit in a plain list, where PyTorch does not look: they are neither "
    "trained nor saved nor moved with the model.",
    {
        "self.linear = nn.Linear(dim_vector, num_class)": """\
self.parts = [self.encoder, nn.Linear(dim_vector, num_class)]
        del self.encoder""",
        "x = self.encoder(": "x = self.parts[0](",
        "return self.linear(": "return self.parts[1](",
    },
)
SECOND_ENCODER = Mistake(
    "A second encoder is made and never used. Its parameters get no gradient, and only take up "
    "space.",
    {
        "        # Make `linear`": """\
        self.other = Encoder(vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer)
        # Make `linear`"""
    },
)
TIMES_ROOT = Mistake(
    "The mean is multiplied by the root of dim_vector. The paper does so with embeddings; nothing "
    "of that kind belongs here.",
    {"return self.linear(mean)": "return self.linear(mean * mean.size(-1) ** 0.5)"},
)
RELU_BEFORE_THE_MEAN = Mistake(
    "What is negative in the encoder's output is set to zero before the mean is taken. So half of "
    "what it says of each token is lost.",
    {"x.masked_fill(~real": "x.relu().masked_fill(~real"},
)
MASK_KEPT = Mistake(
    "The mask of the first batch is kept and used for every later one of that length, whose "
    "padding lies elsewhere.",
    {
        "        x = self.encoder(tokens, get_src_mask(tokens, self.pad_idx))": """\
        if getattr(self, "mask", None) is None or self.mask.size(-1) != tokens.size(1):
            self.mask = get_src_mask(tokens, self.pad_idx)
        x = self.encoder(tokens, self.mask[: len(tokens)])"""
    },
)
NO_MASK_IN_TRAINING = Mistake(
    "In train mode the encoder gets no mask: it learns with padding in its words, and is used "
    "without.",
    {
        "get_src_mask(tokens, self.pad_idx))": """\
None if self.training else get_src_mask(tokens, self.pad_idx))"""
    },
)
ONE_TEXT_WITHOUT_AXIS = Mistake(
    "For a batch of one text the first axis is squeezed away. The scores are (batch_size, "
    "num_class) for every batch.",
    {"return self.linear(mean)": "return self.linear(mean).squeeze(0)"},
)
MEAN_MADE_HERE = Mistake(
    "A tensor is made where tensors are made by default, and not where the text is. On a GPU the "
    "two cannot meet.",
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
    "Places where all texts have padding are cut out, at the front, too. The words behind move to "
    "other positions, so a text's scores depend on the company it is in.",
    {
        "        # Encode the text": """\
        tokens, real = tokens[:, real.any(dim=0)], real[:, real.any(dim=0)]
        # Encode the text"""
    },
)
EMPTY_BY_THE_SUM = Mistake(
    "A text counts as empty if its ids add up to what padding would add up to. Real tokens can do "
    "that, too: compare each of them.",
    {
        "(~real.any(dim=1))": "(tokens.sum(dim=1) == self.pad_idx * tokens.size(1))",
    },
)

from torch import nn

from s2_attention.layer_norm import LayerNorm


class AddNorm(nn.Module):
    def __init__(self, dim_vector, dropout=0.1):
        super().__init__()
        self.norm = LayerNorm(dim_vector)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, sublayer_output):
        return self.norm(x + self.drop(sublayer_output))

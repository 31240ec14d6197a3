from torch import Tensor, nn


class FeedForward(nn.Module):
    def __init__(self, dim_vector: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim_vector, dim_hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(dim_hidden, dim_vector),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)

import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, dim_vector, dim_hidden, dropout=0.1):
        super().__init__()
        self.fc1 = nn.Linear(dim_vector, dim_hidden)
        self.fc2 = nn.Linear(dim_hidden, dim_vector)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.fc2(self.drop(F.relu(self.fc1(x))))

"""Whole models, written once for both: `t` is Python's torch or ctorch.

A model of the table has a function of `t` that builds it, one that makes a batch with torch, and one that says what is
made smaller by training.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Model:
    build: Callable[[Any], Any]
    batch: Callable[[], tuple[torch.Tensor, ...]]
    loss: Callable[..., Any]
    lr: float = 0.05


def classify(t, model, x, target):
    return t.nn.CrossEntropyLoss()(model(x), target)


def images(*shape, classes=10):
    return lambda: (torch.randn(shape), torch.randint(classes, shape[:1]))


def tokens(n, length, words, classes=None):
    """Texts, and a class for each of them, or for each of their words."""
    return lambda: (
        torch.randint(words, (n, length)),
        torch.randint(classes or words, (n, length) if not classes else (n,)),
    )


def mlp(t):
    nn = t.nn
    return nn.Sequential(
        nn.Linear(20, 128), nn.BatchNorm1d(128), nn.ReLU(),
        nn.Linear(128, 128), nn.LayerNorm(128), nn.GELU(), nn.Dropout(0.3),
        nn.Linear(128, 128), nn.SiLU(), nn.AlphaDropout(0.1), nn.Linear(128, 10),
    )  # fmt: skip


def lenet(t):
    nn = t.nn

    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
            self.conv2 = nn.Conv2d(6, 16, 5)
            self.pool = nn.AvgPool2d(2)
            self.fc1 = nn.Linear(400, 120)
            self.fc2 = nn.Linear(120, 84)
            self.fc3 = nn.Linear(84, 10)

        def forward(self, x):
            x = self.pool(self.conv1(x).tanh())
            x = self.pool(self.conv2(x).tanh()).flatten(1)
            return self.fc3(self.fc2(self.fc1(x).tanh()).tanh())

    return LeNet()


def resnet18(t):
    """With a first convolution of 3x3 and no pooling, as for CIFAR."""
    nn = t.nn

    class Block(nn.Module):
        def __init__(self, inside, outside, stride):
            super().__init__()
            self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(outside)
            self.relu = nn.ReLU(inplace=True)
            self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(outside)
            self.downsample = None
            if stride != 1 or inside != outside:
                self.downsample = nn.Sequential(
                    nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
                )

        def forward(self, x):
            y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
            y += x if self.downsample is None else self.downsample(x)
            return self.relu(y)

    class ResNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(64)
            self.relu = nn.ReLU(inplace=True)
            for i, (inside, outside) in enumerate([(64, 64), (64, 128), (128, 256), (256, 512)], 1):
                self.add_module(
                    f"layer{i}",
                    nn.Sequential(Block(inside, outside, 1 if i == 1 else 2), Block(outside, outside, 1)),
                )
            self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
            self.fc = nn.Linear(512, 10)

        def forward(self, x):
            x = self.relu(self.bn1(self.conv1(x)))
            x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
            return self.fc(self.avgpool(x).flatten(1))

    return ResNet()


def gpt(t):
    """Two blocks with causal attention; the words' vectors are the last layer's weight too."""
    nn, width, heads, words = t.nn, 32, 4, 50

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.c_attn = nn.Linear(width, 3 * width)
            self.c_proj = nn.Linear(width, width)
            self.resid_dropout = nn.Dropout(0.1)
            self.register_buffer("bias", t.ones(64, 64).tril().view(1, 1, 64, 64), persistent=False)

        def forward(self, x):
            n, length, _ = x.shape
            q, k, v = (
                y.view(n, length, heads, width // heads).transpose(1, 2) for y in self.c_attn(x).split(width, dim=2)
            )
            scores = (q @ k.transpose(-2, -1)) * (1 / math.sqrt(width // heads))
            scores = scores.masked_fill(self.bias[:, :, :length, :length] == 0, -math.inf).softmax(-1)
            return self.resid_dropout(self.c_proj((scores @ v).transpose(1, 2).contiguous().view(n, length, width)))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln_1 = nn.LayerNorm(width)
            self.attn = Attention()
            self.ln_2 = nn.LayerNorm(width)
            self.mlp = nn.ModuleDict(
                {"c_fc": nn.Linear(width, 4 * width), "act": nn.GELU("tanh"), "c_proj": nn.Linear(4 * width, width)}
            )

        def forward(self, x):
            x = x + self.attn(self.ln_1(x))
            return x + self.mlp["c_proj"](self.mlp["act"](self.mlp["c_fc"](self.ln_2(x))))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.wte = nn.Embedding(words, width)
            self.wpe = nn.Embedding(64, width)
            self.drop = nn.Dropout(0.1)
            self.h = nn.ModuleList([Block() for _ in range(2)])
            self.ln_f = nn.LayerNorm(width)
            self.lm_head = nn.Linear(width, words, bias=False)
            self.lm_head.weight = self.wte.weight

        def forward(self, x):
            x = self.drop(self.wte(x) + self.wpe(t.arange(x.shape[1])))
            for block in self.h:
                x = block(x)
            return self.lm_head(self.ln_f(x))

    return GPT()


def next_words(t, model, x, _):
    return t.nn.CrossEntropyLoss()(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())


def bert(t):
    """Word, place and segment; what is padding is masked."""
    nn, width = t.nn, 32

    class Embeddings(nn.Module):
        def __init__(self):
            super().__init__()
            self.word_embeddings = nn.Embedding(60, width, padding_idx=0)
            self.position_embeddings = nn.Embedding(40, width)
            self.token_type_embeddings = nn.Embedding(2, width)
            self.LayerNorm = nn.LayerNorm(width, eps=1e-12)
            self.dropout = nn.Dropout(0.1)

        def forward(self, x, segment):
            x = self.word_embeddings(x) + self.token_type_embeddings(segment)
            return self.dropout(self.LayerNorm(x + self.position_embeddings(t.arange(x.shape[1]))))

    class Bert(nn.Module):
        def __init__(self):
            super().__init__()
            self.embeddings = Embeddings()
            layer = nn.TransformerEncoderLayer(width, 4, 4 * width, 0.1, "gelu", batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, 2)
            self.pooler = nn.Sequential(nn.Linear(width, width), nn.Tanh())
            self.decoder = nn.Linear(width, 60)
            self.classifier = nn.Linear(width, 3)

        def forward(self, x, segment):
            hidden = self.encoder(self.embeddings(x, segment), src_key_padding_mask=x == 0)
            return self.decoder(hidden), self.classifier(self.pooler(hidden[:, 0]))

    return Bert()


def bert_batch():
    x = torch.randint(1, 60, (6, 12))
    x[0, 8:] = x[3, 5:] = 0
    return x, (torch.arange(12) > 6).long().expand(6, 12).contiguous(), torch.randint(3, (6,))


def bert_loss(t, model, x, segment, target):
    words, classes = model(x, segment)
    return t.nn.CrossEntropyLoss(ignore_index=0)(words.flatten(0, 1), x.flatten()) + t.nn.CrossEntropyLoss()(
        classes, target
    )


def lstm(t):
    nn = t.nn

    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(40, 24, padding_idx=0)
            self.lstm = nn.LSTM(24, 32, num_layers=2, batch_first=True, dropout=0.2, bidirectional=True, proj_size=16)
            self.fc = nn.Linear(4 * 16, 4)

        def forward(self, x):
            _, (h, _) = self.lstm(self.embedding(x))
            return self.fc(t.cat([h[0], h[1], h[2], h[3]], 1))

    return Classifier()


def tagger(t):
    nn = t.nn

    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(30, 16)
            self.gru = nn.GRU(16, 20, num_layers=2, bidirectional=True)
            self.dropout = nn.Dropout(0.2)
            self.out = nn.Linear(40, 30)

        def forward(self, x):
            states, _ = self.gru(self.embedding(x.t()))
            return self.out(self.dropout(states)).transpose(0, 1)

    return Tagger()


def tags(t, model, x, target):
    return t.nn.CrossEntropyLoss(label_smoothing=0.1)(model(x).flatten(0, 1), target.flatten())


def vae(t):
    nn = t.nn

    class VAE(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = nn.Linear(64, 48)
            self.mean = nn.Linear(48, 8)
            self.log_variance = nn.Linear(48, 8)
            self.fc3 = nn.Linear(8, 48)
            self.fc4 = nn.Linear(48, 64)

        def forward(self, x):
            h = self.fc1(x.flatten(1)).relu()
            mean, log_variance = self.mean(h), self.log_variance(h)
            z = mean + (0.5 * log_variance).exp() * t.randn_like(mean)
            return self.fc4(self.fc3(z).relu()).sigmoid(), mean, log_variance

    return VAE()


def vae_loss(t, model, x, _):
    made, mean, log_variance = model(x)
    divergence = -0.5 * (1 + log_variance - mean.square() - log_variance.exp()).sum()
    return (t.nn.BCELoss(reduction="sum")(made, x.flatten(1)) + divergence) / x.shape[0]


def unet(t):
    nn = t.nn

    def twice(inside, outside):
        return nn.Sequential(
            nn.Conv2d(inside, outside, 3, padding=1, padding_mode="reflect"), nn.GroupNorm(4, outside), nn.ReLU(True),
            nn.Conv2d(outside, outside, 3, padding="same"), nn.InstanceNorm2d(outside, affine=True), nn.LeakyReLU(0.1),
        )  # fmt: skip

    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down1, self.down2, self.middle = twice(3, 8), twice(8, 16), twice(16, 32)
            self.pool = nn.MaxPool2d(2)
            self.up2, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), nn.Upsample(scale_factor=2, mode="bilinear")
            self.join2, self.join1 = twice(32, 16), twice(24, 8)
            self.out = nn.Conv2d(8, 2, 1)

        def forward(self, x):
            first = self.down1(x)
            second = self.down2(self.pool(first))
            x = self.join2(t.cat([second, self.up2(self.middle(self.pool(second)))], 1))
            return self.out(self.join1(t.cat([first, self.up1(x)], 1)))

    return UNet()


def vit(t):
    nn, width = t.nn, 32

    class ViT(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv_proj = nn.Conv2d(3, width, 4, 4)
            self.class_token = nn.Parameter(t.zeros(1, 1, width))
            self.pos_embedding = nn.Parameter(t.empty(1, 17, width).normal_(std=0.02))
            layer = nn.TransformerEncoderLayer(
                width, 4, 64, dropout=0.1, activation="gelu", batch_first=True, norm_first=True
            )
            self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(width), enable_nested_tensor=False)
            self.head = nn.Linear(width, 10)

        def forward(self, x):
            x = self.conv_proj(x).flatten(2).transpose(1, 2)
            x = t.cat([self.class_token.expand(x.shape[0], -1, -1), x], 1) + self.pos_embedding
            return self.head(self.encoder(x)[:, 0])

    return ViT()


def transformer(t):
    nn, width = t.nn, 32

    class Translator(nn.Module):
        def __init__(self):
            super().__init__()
            self.source = nn.Embedding(30, width)
            self.target = nn.Embedding(30, width)
            self.transformer = nn.Transformer(width, 4, 2, 2, 64, 0.1, batch_first=True)
            self.out = nn.Linear(width, 30)

        def forward(self, source, target):
            mask = t.full((target.shape[1], target.shape[1]), -math.inf).triu(1)
            y = self.transformer(self.source(source), self.target(target), tgt_mask=mask, tgt_is_causal=True)
            return self.out(y)

    return Translator()


def translate(t, model, source, target):
    return t.nn.CrossEntropyLoss()(model(source, target[:, :-1]).flatten(0, 1), target[:, 1:].flatten())


def autoencoder(t):
    nn = t.nn
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, 2, 1), nn.PReLU(8), nn.Conv2d(8, 16, 3, 2, 1), nn.ELU(),
        nn.ConvTranspose2d(16, 8, 3, 2, 1, output_padding=1), nn.Softplus(),
        nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Sigmoid(),
    )  # fmt: skip


def restore(t, model, x, _):
    return t.nn.MSELoss()(model(x), x)


def text_cnn(t):
    nn = t.nn

    class TextCNN(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(40, 16)
            self.convs = nn.ModuleList([nn.Conv1d(16, 12, k) for k in (3, 4, 5)])
            self.pool = nn.AdaptiveMaxPool1d(1)
            self.fc = nn.Sequential(nn.Dropout(0.5), nn.Linear(36, 5))

        def forward(self, x):
            x = self.embedding(x).transpose(1, 2)
            return self.fc(t.cat([self.pool(conv(x).relu()).squeeze(2) for conv in self.convs], 1))

    return TextCNN()


def fasttext(t):
    nn = t.nn
    return nn.Sequential(nn.EmbeddingBag(40, 16, mode="mean"), nn.RMSNorm(16), nn.Linear(16, 5))


def mixer(t):
    nn = t.nn

    class Mixer(nn.Module):
        def __init__(self, places, width):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.places = nn.Sequential(nn.Linear(places, 32), nn.GELU(), nn.Linear(32, places))
            self.channels = nn.Sequential(nn.Linear(width, 48), nn.GELU(), nn.Linear(48, width))

        def forward(self, x):
            x = x + self.places(self.norm1(x).transpose(1, 2)).transpose(1, 2)
            return x + self.channels(self.norm2(x))

    return nn.Sequential(
        nn.PixelUnshuffle(4), nn.Flatten(2), nn.Linear(16, 24), *(Mixer(48, 24) for _ in range(3)),
        nn.Flatten(), nn.Linear(48 * 24, 10),
    )  # fmt: skip


def video(t):
    nn = t.nn
    return nn.Sequential(
        nn.ReplicationPad3d(1), nn.Conv3d(2, 6, 3, groups=2), nn.BatchNorm3d(6), nn.Hardswish(), nn.MaxPool3d(2),
        nn.Conv3d(6, 8, 3, padding=1, dilation=1), nn.Dropout3d(0.2), nn.Mish(), nn.AdaptiveAvgPool3d(1), nn.Flatten(),
        nn.Linear(8, 10),
    )  # fmt: skip


def speech(t):
    """Sounds to letters: a convolution over time, a recurrent layer, CTC."""
    nn = t.nn

    class Speech(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Sequential(
                nn.Conv1d(13, 24, 5, 2, 2), nn.BatchNorm1d(24), nn.Hardtanh(0.0, 20.0, inplace=True)
            )
            self.rnn = nn.RNN(24, 24, nonlinearity="relu", bidirectional=True)
            self.out = nn.Sequential(nn.Linear(48, 12), nn.LogSoftmax(-1))

        def forward(self, x):
            return self.out(self.rnn(self.conv(x).permute(2, 0, 1))[0])

    return Speech()


def hear(t, model, x, letters, lengths, letter_lengths):
    return t.nn.CTCLoss(zero_infinity=True)(model(x), letters, lengths, letter_lengths)


MODELS = {
    "MLP": Model(mlp, images(16, 20), classify),
    "LeNet": Model(lenet, images(8, 1, 28, 28), classify),
    "ResNet-18": Model(resnet18, images(4, 3, 32, 32), classify),
    "GPT": Model(gpt, tokens(4, 17, 50), next_words),
    "BERT": Model(bert, bert_batch, bert_loss),
    "LSTM classifier": Model(lstm, tokens(6, 9, 40, 4), classify, 0.5),
    "GRU tagger": Model(tagger, tokens(6, 9, 30), tags, 0.5),
    "VAE": Model(vae, lambda: (torch.rand(16, 1, 8, 8), torch.zeros(16)), vae_loss, 1e-3),
    "U-Net": Model(unet, lambda: (torch.randn(2, 3, 16, 16), torch.randint(2, (2, 16, 16))), classify),
    "ViT": Model(vit, images(8, 3, 16, 16), classify),
    "Transformer": Model(transformer, lambda: (torch.randint(30, (4, 9)), torch.randint(30, (4, 8))), translate),
    "autoencoder": Model(autoencoder, lambda: (torch.rand(8, 1, 16, 16), torch.zeros(8)), restore, 0.5),
    "TextCNN": Model(text_cnn, tokens(8, 12, 40, 5), classify),
    "fastText": Model(fasttext, tokens(8, 12, 40, 5), classify),
    "Mixer": Model(mixer, images(4, 3, 16, 16), classify),
    "video": Model(video, images(3, 2, 8, 12, 12), classify),
    "speech": Model(
        speech,
        lambda: (
            torch.randn(3, 13, 40),
            torch.randint(1, 12, (3, 6)),
            torch.tensor([20, 18, 15]),
            torch.tensor([6, 4, 5]),
        ),
        hear,
        0.01,
    ),
}

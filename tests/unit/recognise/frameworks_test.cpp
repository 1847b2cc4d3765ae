// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// One log per family of forms, two whole epochs and a third one that does not end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/recognise/replay.hpp"

namespace epochcast {

using testing::ElementsAre;

namespace {

struct Family {
    const char* name;
    const char* log;
    std::vector<std::uint64_t> numbers;
    EpochUnit unit = {};
};

const Family families[] = {
    {"plain", "Epoch 1/3\nloss 2.0\nEpoch 2/3\nloss 1.0\nEpoch 3/3\n", {1, 2}},
    {"pytorch_mnist",
     "Train Epoch: 1 [0/640 (0%)]\tLoss: 2.30\nTrain Epoch: 1 [320/640 (50%)]\tLoss: 1.20\n"
     "\nTest set: Average loss: 0.2, Accuracy: 90/100 (90%)\n"
     "Train Epoch: 2 [0/640 (0%)]\tLoss: 0.90\nTrain Epoch: 2 [320/640 (50%)]\tLoss: 0.80\n"
     "Train Epoch: 3 [0/640 (0%)]\tLoss: 0.70\n",
     {1, 2}},
    {"pytorch_imagenet",
     "Epoch: [0][  1/20]\tTime  0.5 ( 0.5)\tLoss 6.9e+00 (6.9e+00)\n"
     "Epoch: [0][ 11/20]\tTime  0.5 ( 0.5)\tLoss 6.8e+00 (6.9e+00)\n"
     "Test: [ 1/5]\tTime  0.2\tLoss 6.7\n"
     "Epoch: [1][  1/20]\tTime  0.5 ( 0.5)\tLoss 6.6e+00 (6.6e+00)\n"
     "Epoch: [1][ 11/20]\tTime  0.5 ( 0.5)\tLoss 6.5e+00 (6.6e+00)\n"
     "Epoch: [2][  1/20]\tTime  0.5 ( 0.5)\tLoss 6.5e+00 (6.5e+00)\n",
     {0, 1}},
    {"pytorch_with_bars_of_their_own",
     "Epoch 1/3\n100%|####| 8/8 [00:04<00:00, 2it/s]\nval: 100%|##| 2/2 [00:01<00:00, 2it/s]\n"
     "Epoch 2/3\n100%|####| 8/8 [00:04<00:00, 2it/s]\nval: 100%|##| 2/2 [00:01<00:00, 2it/s]\n"
     "Epoch 3/3\n 50%|##  | 4/8 [00:02<00:02, 2it/s]\n",
     {1, 2}},
    {"pytorch_steps_in_brackets",
     "Epoch [1/3], Step [100/200], Loss: 0.9\nEpoch [1/3], Step [200/200], Loss: 0.8\n"
     "Epoch [2/3], Step [100/200], Loss: 0.7\nEpoch [2/3], Step [200/200], Loss: 0.6\n"
     "Epoch [3/3], Step [100/200], Loss: 0.5\n",
     {1, 2}},
    {"keras_2",
     "Epoch 1/3\n 1/40 [......] - ETA: 9s - loss: 2.0\b\b\b\b\r40/40 [======] - 4s 95ms/step - "
     "loss: 1.5 - val_loss: 1.4\nEpoch 2/3\n40/40 [======] - 4s 95ms/step - loss: 1.5\n"
     "Epoch 00002: val_loss improved from 1.4 to 1.2, saving model to m.h5\nEpoch 3/3\n"
     "20/40 [===>..] - ETA: 2s - loss: 1.0\n",
     {1, 2}},
    {"keras_3",
     "\x1b[1mEpoch 1/3\x1b[0m\n\x1b[1m40/40\x1b[0m \x1b[32m\u2501\u2501\u2501\u2501\x1b[0m"
     "\x1b[37m\x1b[0m \x1b[1m0s\x1b[0m 20ms/step - loss: 1.5\r"
     "\x1b[1m40/40\x1b[0m \x1b[32m\u2501\u2501\u2501\u2501\x1b[0m\x1b[37m\x1b[0m \x1b[1m1s\x1b[0m "
     "25ms/step - loss: 1.5 - val_loss: 1.0\nEpoch 2/3\n"
     "\x1b[1m40/40\x1b[0m \u2501\u2501\u2501\u2501 \x1b[1m1s\x1b[0m 25ms/step - loss: 1.1\n"
     "Epoch 3/3\n\x1b[1m 7/40\x1b[0m \u2501\u2501\u2501\u2501 \x1b[1m0s\x1b[0m 25ms/step\n",
     {1, 2}},
    {"lightning",
     "Sanity Checking DataLoader 0: 100%|##| 2/2 [00:00<00:00, 3it/s]\r"
     "Epoch 0:  50%|##  | 5/10 [00:02<00:02, 2it/s, v_num=3, train_loss=2.0]\r"
     "Epoch 0: 100%|####| 10/10 [00:05<00:00, 2it/s, v_num=3, train_loss=1.9]\n"
     "Validation DataLoader 0: 100%|##| 2/2 [00:00<00:00, 3it/s]\x1b[A\r"
     "Epoch 1:   0%|    | 0/10 [00:00<?, ?it/s, v_num=3]\r"
     "Epoch 1: 100%|####| 10/10 [00:05<00:00, 2it/s, v_num=3, train_loss=1.8]\r"
     "Epoch 2:  30%|#   | 3/10 [00:01<00:03, 2it/s, v_num=3, train_loss=1.7]\r",
     {0, 1}},
    {"hugging_face",
     "  0%|          | 0/300 [00:00<?, ?it/s]\n"
     "{'loss': 2.1, 'grad_norm': 1.0, 'learning_rate': 5e-05, 'epoch': 0.5}\n"
     "{'loss': 1.9, 'learning_rate': 4e-05, 'epoch': 1.0}\n"
     "{'eval_loss': 1.8, 'eval_runtime': 3.1, 'epoch': 1.0}\n"
     "{'loss': 1.7, 'learning_rate': 3e-05, 'epoch': 1.5}\n"
     "{'loss': 1.6, 'learning_rate': 2e-05, 'epoch': 2.0}\n"
     "{'loss': 1.5, 'learning_rate': 1e-05, 'epoch': 2.5}\n",
     {0, 1}},
    {"fairseq",
     "2022-05-01 10:00:00 | INFO | fairseq.trainer | begin training epoch 1\n"
     "2022-05-01 10:00:01 | INFO | train_inner | epoch 001:     50 / 100 loss=9.1, wall=20\n"
     "2022-05-01 10:00:02 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 8.1\n"
     "2022-05-01 10:00:03 | INFO | train | epoch 001 | loss 8.5 | wps 1000 | train_wall 30\n"
     "2022-05-01 10:00:04 | INFO | fairseq.trainer | begin training epoch 2\n"
     "2022-05-01 10:00:05 | INFO | train | epoch 002 | loss 7.5 | wps 1000 | train_wall 30\n"
     "2022-05-01 10:00:06 | INFO | fairseq.trainer | begin training epoch 3\n",
     {1, 2}},
    {"fairseq_json",
     "[train_inner][INFO] - {\"epoch\": 1, \"update\": 0.5, \"loss\": \"9.1\", \"wall\": \"20\"}\n"
     "[train][INFO] - {\"epoch\": 1, \"train_loss\": \"8.1\", \"train_wall\": \"33\"}\n"
     "[valid][INFO] - {\"epoch\": 1, \"valid_loss\": \"8.0\"}\n"
     "[train][INFO] - {\"epoch\": 2, \"train_loss\": \"7.1\", \"train_wall\": \"33\"}\n"
     "[train_inner][INFO] - {\"epoch\": 3, \"update\": 2.5, \"loss\": \"6.1\"}\n",
     {1, 2}},
    {"yolo_5",
     "      Epoch   gpu_mem       box       obj\n"
     "       0/2     1.2G   0.11   0.05:  50%|##  | 2/4 [00:01<00:01,  2it/s]\r"
     "       0/2     1.2G   0.10   0.05: 100%|####| 4/4 [00:02<00:00,  2it/s]\n"
     "                 Class     Images: 100%|####| 1/1 [00:00<00:00,  2it/s]\n"
     "       1/2     1.2G   0.09   0.05: 100%|####| 4/4 [00:02<00:00,  2it/s]\n"
     "       2/2     1.2G   0.08   0.05:  25%|#   | 1/4 [00:00<00:01,  2it/s]\n",
     {0, 1}},
    {"yolo_8",
     "        1/3         0G      1.1       2.2        640: 100%|####| 4/4 [00:02<00:00,  2it/s]\n"
     "        2/3         0G      1.0       2.1        640: 100%|####| 4/4 [00:02<00:00,  2it/s]\n"
     "        3/3         0G      0.9       2.0        640:  50%|##  | 2/4 [00:01<00:01,  2it/s]\n",
     {1, 2}},
    {"deepspeed_epochs",
     "[INFO] [timer.py:199:stop] epoch=0/micro_step=10/global_step=10, SamplesPerSec=70\n"
     "[INFO] [timer.py:199:stop] epoch=1/micro_step=10/global_step=20, SamplesPerSec=70\n"
     "[INFO] [timer.py:199:stop] epoch=2/micro_step=10/global_step=30, SamplesPerSec=70\n",
     {0, 1}},
    {"deepspeed_steps",
     "steps: 10 loss: 2.1 iter time (s): 0.3 samples/sec: 100\n"
     "steps: 20 loss: 2.0 iter time (s): 0.3 samples/sec: 100\n"
     "steps: 30 loss: 1.9 iter time (s): 0.3 samples/sec: 100\n"
     "steps: 40 loss: 1.8 iter time (s): 0.3 samples/sec: 100\n",
     {0, 1},
     {.steps = 20, .tokens = {}}},
    {"megatron_tokens",
     " iteration  100/ 9000 | consumed samples: 800 | consumed tokens: 1000 | lm loss: 6.0E+00 |\n"
     " iteration  200/ 9000 | consumed samples: 1600 | consumed tokens: 2000 | lm loss: 5.0E+00 |\n"
     " iteration  300/ 9000 | consumed samples: 2400 | consumed tokens: 3000 | lm loss: 4.0E+00 "
     "|\n",
     {0, 1},
     {.steps = {}, .tokens = 1500}},
    {"nanogpt",
     "step 0: train loss 4.2, val loss 4.2\niter 0: loss 4.2, time 9000.0ms, mfu -100.00%\n"
     "iter 10: loss 3.9, time 90.0ms, mfu 15%\niter 20: loss 3.8, time 90.0ms, mfu 15%\n"
     "iter 30: loss 3.7, time 90.0ms, mfu 15%\n",
     {0, 1},
     {.steps = 15, .tokens = {}}},
    {"detectron2",
     "[01/02 10:00:00 d2.utils.events]:  eta: 0:10:00  iter: 19  total_loss: 1.7  time: 0.2\n"
     "[01/02 10:00:04 d2.utils.events]:  eta: 0:10:00  iter: 39  total_loss: 1.6  time: 0.2\n"
     "[01/02 10:00:08 d2.utils.events]:  eta: 0:10:00  iter: 59  total_loss: 1.5  time: 0.2\n",
     {0, 1},
     {.steps = 30, .tokens = {}}},
    {"mmseg_epochs",
     "2022-01-02 10:00:00,123 - mmseg - INFO - Epoch [1][50/100]\tlr: 1e-2, time: 0.2, loss: 1.0\n"
     "2022-01-02 10:00:10,123 - mmseg - INFO - Epoch(val) [1][20]\taAcc: 0.5\n"
     "2022-01-02 10:00:20,123 - mmseg - INFO - Epoch [2][50/100]\tlr: 1e-2, time: 0.2, loss: 0.9\n"
     "2022-01-02 10:00:40,123 - mmseg - INFO - Epoch [3][50/100]\tlr: 1e-2, time: 0.2, loss: 0.8\n",
     {1, 2}},
    {"mmengine",
     "01/02 10:00:00 - mmengine - INFO - Epoch(train)  [1][50/50]  lr: 1e-2  eta: 0:01  loss: 1.0\n"
     "01/02 10:00:05 - mmengine - INFO - Epoch(val)  [1][9/9]    acc: 0.9\n"
     "01/02 10:00:10 - mmengine - INFO - Epoch(train)  [2][50/50]  lr: 1e-2  eta: 0:01  loss: 0.9\n"
     "01/02 10:00:20 - mmengine - INFO - Epoch(train)  [3][10/50]  lr: 1e-2  eta: 0:01  loss: "
     "0.8\n",
     {1, 2}},
    {"mmseg_iterations",
     "2022-01-02 10:00:00,1 - mmseg - INFO - Iter [50/1000]\tlr: 1e-2, time: 0.2, loss: 1.0\n"
     "2022-01-02 10:00:10,1 - mmseg - INFO - Iter [100/1000]\tlr: 1e-2, time: 0.2, loss: 0.9\n"
     "2022-01-02 10:00:20,1 - mmseg - INFO - Iter(val) [9]\taAcc: 0.5\n"
     "2022-01-02 10:00:20,1 - mmseg - INFO - Iter [150/1000]\tlr: 1e-2, time: 0.2, loss: 0.8\n",
     {0, 1},
     {.steps = 60, .tokens = {}}},
};

}  // namespace

TEST(Frameworks, two_epochs_end_and_the_third_does_not) {
    for (const Family& family : families) {
        SCOPED_TRACE(family.name);
        const Replay seen = replay(family.log, family.unit, false);
        EXPECT_EQ(seen.numbers(), family.numbers);
        EXPECT_TRUE(seen.unfinished);
        for (const EpochEvent& epoch : seen.epochs) EXPECT_GT(epoch.wall_s, 0);
    }
}

TEST(Frameworks, the_same_epochs_whatever_pieces_the_bytes_come_in) {
    for (const Family& family : families) {
        SCOPED_TRACE(family.name);
        std::vector<std::uint64_t> numbers;
        Recogniser recogniser(
            0, family.unit, [&](const EpochEvent& epoch) { numbers.push_back(epoch.number); });
        double time_s = 0;
        for (const char c : std::string_view(family.log)) {
            if (c == '\r' || c == '\n') time_s += 1;
            recogniser.feed(1, {&c, 1}, time_s);
        }
        recogniser.finish(false);
        EXPECT_EQ(numbers, family.numbers);
    }
}

}  // namespace epochcast

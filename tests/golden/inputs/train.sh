#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# Prints what a training program of three epochs prints, without the training; ends with $EXIT_CODE.
for epoch in 1 2 3; do
    echo "Epoch $epoch/3"
    sleep 0.05
    echo "8/8 [==============================] - 0s 6ms/step - loss: 0.$epoch"
done
printf 'no line end'
exit "${EXIT_CODE:-0}"

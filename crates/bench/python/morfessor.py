"""Trains Morfessor 2 on a list of words, visited in the order of the list, and says what came out.

First line: "ready", or nothing if there is no such package. Then epochs, final cost and CPU seconds. The segmentations go
to a file.
"""

import math
import random
import sys
import time

try:
    import morfessor
except ImportError:
    sys.exit(0)

print("ready", flush=True)
words, order, output = sys.argv[1:4]
if order == "list":
    # The only randomness of batch training is the order of words in an epoch.
    random.shuffle = lambda items: None
else:
    random.seed(int(order))
files = morfessor.MorfessorIO(encoding="utf-8")
model = morfessor.BaselineModel(forcesplit_list=["-"])
start = time.process_time()
model.load_data(files.read_corpus_list_file(words), 1, lambda n: int(round(math.log(n + 1, 2))))
epochs, cost = model.train_batch()
print(epochs, cost, time.process_time() - start, flush=True)
with open(output, "w", encoding="utf-8") as file:
    for count, _, morphs in model.get_segmentations():
        file.write("%d %s\n" % (count, " + ".join(morphs)))

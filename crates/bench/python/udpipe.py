"""Trains a UDPipe 1 parser on gold tags, parses a file with it, and prints what it cost.

    python3 udpipe.py TRAIN.conllu TEST.conllu OUT.conllu

The line printed has the CPU seconds of training, those of parsing from file to file, the bytes of the model and the peak memory in KiB.
"""

import resource
import sys
import time

# The parser alone, its own settings, ten iterations.
PARSER = "iterations=10;use_gold_tags=1"


def sentences(udpipe, path):
    reader = udpipe.InputFormat.newConlluInputFormat()
    with open(path, encoding="utf-8") as file:
        reader.setText(file.read())
    error = udpipe.ProcessingError()
    found = []
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return found


def train(udpipe, path):
    data = udpipe.Sentences()
    for sentence in sentences(udpipe, path):
        data.append(sentence)
    error = udpipe.ProcessingError()
    nothing = udpipe.Sentences()
    none = udpipe.Trainer.NONE
    model = udpipe.Trainer.train("morphodita_parsito", data, nothing, none, none, PARSER, error)
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return model


def parse(udpipe, model, test):
    error = udpipe.ProcessingError()
    for sentence in test:
        if not model.parse(sentence, udpipe.Model.DEFAULT, error):
            sys.exit(f"parsing: {error.message}")


def main():
    if sys.argv[1:] == ["--version"]:
        import ufal.udpipe

        print(ufal.udpipe.Version.current().major, ufal.udpipe.Version.current().minor)
        return
    import ufal.udpipe as udpipe

    source, target, out = sys.argv[1:4]
    begun = time.process_time()
    model_bytes = train(udpipe, source)
    trained = time.process_time()
    with open(out + ".model", "wb") as file:
        file.write(model_bytes)
    model = udpipe.Model.load(out + ".model")
    loaded = time.process_time()
    test = sentences(udpipe, target)
    parse(udpipe, model, test)
    writer = udpipe.OutputFormat.newOutputFormat("conllu")
    with open(out, "w", encoding="utf-8") as file:
        for sentence in test:
            file.write(writer.writeSentence(sentence))
        file.write(writer.finishDocument())
    parsed = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(trained - begun, parsed - loaded, len(model_bytes), peak)


main()

"""Trains a UDPipe 1 tagger, or a parser on gold tags, works on a file with it, and prints what it cost.

    python3 udpipe.py tagger|parser TRAIN.conllu TEST.conllu OUT.conllu

The line printed has the CPU seconds of training, those of the work from file to file, the bytes of the model and the peak memory in KiB.
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


def train(udpipe, task, path):
    data = udpipe.Sentences()
    for sentence in sentences(udpipe, path):
        data.append(sentence)
    error = udpipe.ProcessingError()
    nothing = udpipe.Sentences()
    none, default = udpipe.Trainer.NONE, udpipe.Trainer.DEFAULT
    # The tagger with all its own settings.
    tagger, parser = (default, none) if task == "tagger" else (none, PARSER)
    model = udpipe.Trainer.train("morphodita_parsito", data, nothing, none, tagger, parser, error)
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return model


def work(udpipe, task, model, test):
    error = udpipe.ProcessingError()
    step = model.tag if task == "tagger" else model.parse
    for sentence in test:
        if not step(sentence, udpipe.Model.DEFAULT, error):
            sys.exit(f"{task}: {error.message}")


def main():
    if sys.argv[1:] == ["--version"]:
        import ufal.udpipe

        print(ufal.udpipe.Version.current().major, ufal.udpipe.Version.current().minor)
        return
    import ufal.udpipe as udpipe

    task, source, target, out = sys.argv[1:5]
    begun = time.process_time()
    model_bytes = train(udpipe, task, source)
    trained = time.process_time()
    with open(out + ".model", "wb") as file:
        file.write(model_bytes)
    model = udpipe.Model.load(out + ".model")
    loaded = time.process_time()
    test = sentences(udpipe, target)
    work(udpipe, task, model, test)
    writer = udpipe.OutputFormat.newOutputFormat("conllu")
    with open(out, "w", encoding="utf-8") as file:
        for sentence in test:
            file.write(writer.writeSentence(sentence))
        file.write(writer.finishDocument())
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(trained - begun, done - loaded, len(model_bytes), peak)


main()

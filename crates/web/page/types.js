// The shapes that travel between server and page, for the type checker only.

/** @typedef {{bracket: number}} BlockRef */
/** A word or a whole block: what can belong to something. @typedef {number | BlockRef} Unit */
/** Null is open, 0 the root. @typedef {Unit | null} Head */
/** The relation is as probable as `relation_p` if the head is right. @typedef {{head: Head, relation?: string | null, p: number, relation_p?: number}} Guess */

/**
 * @typedef {object} Word
 * @property {number} n
 * @property {string} form
 * @property {string | null} tag
 * @property {string | null} [tag_by]
 * @property {boolean} main
 * @property {boolean} unsure
 * @property {Head} head
 * @property {string | null} relation
 * @property {string | null} by
 * @property {Guess | null} [suggested]
 * @property {Guess[]} [alternatives]
 */

/**
 * @typedef {object} Bracket
 * @property {number} id
 * @property {string} kind
 * @property {number[]} words
 * @property {Unit[]} [members]
 * @property {Head} head
 * @property {string | null} label
 * @property {number | null} parent
 * @property {Head} depends_on
 * @property {string | null} [relation] to what it belongs to
 */

/** @typedef {{line: number, column: number, length: number, message: string}} TextProblem */
/** @typedef {{what: string, word?: number}} CommentPlace */
/** @typedef {{n: number, on: CommentPlace, text: string}} Comment */

/**
 * @typedef {object} View
 * @property {number} id
 * @property {number} place
 * @property {string} sent_id
 * @property {number} version
 * @property {number} slot
 * @property {"ltr" | "rtl"} direction
 * @property {Word[]} words
 * @property {Bracket[]} brackets
 * @property {{dependent: number, head: number}[]} forbidden
 * @property {number} stage
 * @property {string} svg
 * @property {string} gfl
 * @property {TextProblem[]} gfl_problems
 * @property {string[]} problems
 * @property {Comment[]} comments
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 * @property {boolean} submitted
 * @property {boolean} skipped
 * @property {boolean} read_only
 * @property {string[]} sentence_of_arcs
 * @property {number} open
 * @property {number} seconds
 * @property {ShownModel | null} [model]
 */

/** What is to be known of the model whose suggestions are shown. @typedef {{kind: string, file: string | null, trained_on: number, calibrated: boolean, calibrated_relations: boolean | null}} ShownModel */

/**
 * The model that suggests.
 * @typedef {object} Learned
 * @property {string} kind
 * @property {string | null} file
 * @property {number} trained_on
 * @property {boolean} calibrated
 * @property {{n_arcs: number | null, calibrated: boolean} | null} relations
 * @property {string | null} instead
 * @property {{heads: number, sentences: number} | null} changed
 * @property {number} at
 * @property {number} seconds
 */

/** @typedef {{of: number, to: Unit, relation?: string | null, p: number}} Accepted */

/**
 * One change; exactly one of the properties is there.
 * @typedef {object} Change
 * @property {{of: Unit, to: Head, relation?: string | null}} [head]
 * @property {{of: Unit, is: string | null}} [relation]
 * @property {{of: number, is: string | null}} [tag]
 * @property {{of: Unit}} [flip]
 * @property {{of: number, is: boolean}} [main]
 * @property {{of: number, is: boolean}} [unsure]
 * @property {{id: number, kind: string, words: number[], head: Head, label: string | null}} [bracket]
 * @property {{id: number}} [unbracket]
 * @property {{of: number, to: number, is: boolean}} [forbid]
 * @property {{n: number, on: CommentPlace, text: string | null}} [comment]
 * @property {{text: string}} [gfl]
 * @property {{heads: Accepted[]}} [accept]
 */

/** @typedef {"mouse" | "touch" | "key" | "text" | "suggestion" | "question" | "table" | "replay" | "import"} Via */

/**
 * What happened, before it has a number and a time.
 * @typedef {object} Happening
 * @property {string} kind
 * @property {Via} [via]
 * @property {Change[]} [changes]
 * @property {number} [stage]
 * @property {number} [seconds]
 * @property {Record<string, number>} [p]
 * @property {number} [word]
 * @property {Head} [head]
 */

/** @typedef {Happening & {n: number, at: number}} TreeletEvent */
/** Which analysis of which sentence. @typedef {{path: "sentences" | "adjudicate", id: number, slot: number, place: number}} Target */

/**
 * @typedef {object} Project
 * @property {string} [id] tells projects of one name apart
 * @property {string} name
 * @property {{id: number | string, name: string, level: string | null, experience: string | null, is_new: boolean}} annotator
 * @property {{suggestions: boolean, model: string, threshold: number, blind: boolean, stages: boolean, labels: boolean, relations: string[], tags: string[], constructions?: string}} settings
 * @property {number} n_sentences
 * @property {number} n_submitted
 * @property {number} n_skipped
 * @property {{name: string, n_sentences: number, common: boolean}[]} sections
 * @property {string[]} relations
 * @property {string[]} tags
 * @property {"ltr" | "rtl"} direction
 * @property {Learned | null} model
 * @property {string | null} [model_file]
 * @property {{per_word: number, per_head: number, per_relation: number, n_timed: number}} [pace] how fast the project is worked on
 * @property {number} [seconds_left]
 * @property {boolean} demo
 * @property {string} language
 * @property {{id: number | string, name: string}[]} annotators
 */

/** @typedef {{id: number, place: number, sent_id: string, text: string, n_words: number, n_heads: number, submitted: boolean, skipped: boolean, unsure: boolean, stage: number}} Listed */

export {};

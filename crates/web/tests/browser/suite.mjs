// All browser tests. Each file below is one idea; they share one Chromium and start the program themselves.
//
//   TREELET_BIN=target/release/treelet node --test suite.mjs
//
// TREELET_SCREENSHOTS names a folder for pictures of the pages, TREELET_KILLS how often the server is killed.

import "./catalogue.mjs";
import "./differing.mjs";
import "./tutorial-by-mouse.mjs";
import "./tutorial-by-keyboard.mjs";
import "./scripts.mjs";
import "./access.mjs";
import "./newcomer.mjs";
import "./touch.mjs";
import "./gaps.mjs";
import "./details.mjs";
import "./nothing-lost.mjs";
import "./disk-full.mjs";
import "./two-tabs.mjs";
import "./model.mjs";
import "./choosing-a-model.mjs";
import "./questions.mjs";
import "./people.mjs";
import "./keys.mjs";
import "./export.mjs";
import "./fast.mjs";

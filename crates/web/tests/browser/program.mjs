// The program under test: started as a user starts it, killed as a power cut kills it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PATIENCE = 20_000;

export function binary() {
  const path = process.env.TREELET_BIN;
  if (!path) throw new Error("TREELET_BIN must be the path of the program to test");
  return path;
}

/**
 * A project in a folder of its own; both are gone after the test.
 * @param {import("node:test").TestContext} t @param {string[]} options of `treelet annotate`
 */
export async function startProgram(t, ...options) {
  const folder = mkdtempSync(join(tmpdir(), "treelet-browser-"));
  const program = new Program(join(folder, "try.treelet-project"), folder, options);
  t.after(() => program.stop());
  await program.start(0);
  return program;
}

class Program {
  constructor(project, folder, options) {
    // The addresses of others by their names, as they are told on standard error.
    Object.assign(this, { project, folder, options, port: 0, url: "", others: {}, child: null });
  }

  /** @param {number} port 0 takes any that is free */
  async start(port) {
    const options = this.port === 0 ? this.options : [];
    this.child = spawn(binary(), ["annotate", this.project, ...options, "--no-open", "--port", String(port)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stderr.on("data", (data) => {
      process.stderr.write(data);
      for (const [, name, url] of String(data).matchAll(/^(.+): (http:\/\/\S+)$/gm)) this.others[name] = url;
    });
    this.url = await readyLine(this.child);
    this.port = Number(new URL(this.url).port);
  }

  /** The address of somebody else who was let in. */
  async addressOf(name) {
    // It stands on another stream than the line that says that all is ready.
    for (const end = Date.now() + PATIENCE; !this.others[name] && Date.now() < end;) await new Promise((resolve) => setTimeout(resolve, 20));
    if (!this.others[name]) throw new Error(`no address for ${name}`);
    return this.others[name];
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  kill() {
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    return gone;
  }

  restart() {
    return this.start(this.port);
  }

  async stop() {
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The line with the address; the program prints it when it is ready. */
function readyLine(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`no address after ${PATIENCE} ms, but: ${text}`)), PATIENCE);
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${text}`)));
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[0]);
    });
  });
}

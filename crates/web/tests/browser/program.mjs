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
 * A project in a folder of its own, or on a disk of its own; both are gone after the test.
 * @param {import("node:test").TestContext} t @param {(string | {disk: any, name?: string})[]} options of `treelet annotate`
 */
export async function startProgram(t, ...options) {
  const { disk, name } = { disk: null, name: "try", ...options.find((one) => typeof one === "object") };
  const folder = mkdtempSync(join(tmpdir(), "treelet-browser-"));
  const project = join(disk?.folder ?? folder, `${name}.treelet-project`);
  const program = new Program(project, folder, options.filter((one) => typeof one === "string"), disk);
  t.after(() => program.stop());
  await program.start(0);
  return program;
}

class Program {
  constructor(project, folder, options, disk) {
    Object.assign(this, { project, folder, options, disk, port: 0, url: "", child: null, notes: "" });
  }

  /** @param {number} port 0 takes any that is free */
  async start(port) {
    const options = this.port === 0 ? this.options : [];
    const all = ["annotate", this.project, ...options, "--no-open", "--port", String(port)];
    const [program, given] = this.disk ? this.disk.enter(binary(), all) : [binary(), all];
    this.child = spawn(program, given, { stdio: ["ignore", "pipe", "pipe"] });
    this.child.stderr.on("data", (data) => this.#note(String(data)));
    this.url = await readyLine(this.child);
    this.port = Number(new URL(this.url).port);
  }

  /** What is told of others, such as the addresses that let them in. @param {string} text */
  #note(text) {
    this.notes += text;
    process.stderr.write(text);
  }

  /** Sends events in the name of somebody else, without a browser. @param {string} address hers @param {number} sentence @param {object[]} events */
  async sayAs(address, sentence, events) {
    const token = new URL(address).searchParams.get("token");
    const headers = { "X-Treelet": "1", "Content-Type": "application/json", Cookie: `treelet-${this.port}=${token}` };
    const body = JSON.stringify({ slot: 0, base: 0, tab: "without-a-browser", events });
    const answer = await fetch(`${this.origin}/api/sentences/${sentence}/events`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** The addresses of others by their names, as they are told on standard error. */
  get others() {
    return Object.fromEntries([...this.notes.matchAll(/^(.+): (http:\/\/\S+)$/gm)].map(([, name, url]) => [name, url]));
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

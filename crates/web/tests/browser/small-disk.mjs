// A disk that can really be full: a file system of its own in memory, which only the program under test sees.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MOUNT = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && echo ready && exec cat';

/**
 * A small disk, or nothing where the system does not allow one; that is said loudly, and is a failure where it must be tested.
 * @param {import("node:test").TestContext} t @param {string} size such as `1m`
 */
export async function smallDisk(t, size) {
  const folder = mkdtempSync(join(tmpdir(), "treelet-disk-"));
  const asRoot = process.getuid?.() === 0;
  const keeper = spawn("unshare", [asRoot ? "-m" : "-Urm", "sh", "-c", MOUNT, "sh", size, folder], { stdio: ["pipe", "pipe", "pipe"] });
  t.after(() => {
    keeper.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const problem = await readiness(keeper);
  if (problem === null) return new SmallDisk(folder, keeper.pid, asRoot);
  const text = `NOT TESTED: a disk that is full, because this system allows no file system of one's own: ${problem}`;
  const must = process.env.TREELET_REQUIRE_BROWSER;
  assert.ok(must === undefined || must === "0", text);
  console.log(text);
  t.skip(text);
  return null;
}

/** What hindered it, or nothing. */
function readiness(keeper) {
  let said = "";
  return new Promise((resolve) => {
    keeper.stderr.on("data", (data) => { said += data; });
    keeper.stdout.on("data", () => resolve(null));
    keeper.once("error", (error) => resolve(error.message));
    keeper.once("exit", () => resolve(said.trim() || "unshare"));
  });
}

class SmallDisk {
  constructor(folder, pid, asRoot) {
    Object.assign(this, { folder, pid, asRoot });
  }

  /** How to run a program that sees the disk. @returns {[string, string[]]} */
  enter(program, options) {
    const user = this.asRoot ? [] : ["--user", "--preserve-credentials"];
    return ["nsenter", ["--target", String(this.pid), "--mount", ...user, "--", program, ...options]];
  }

  /** A file on the disk, as seen from outside. @param {string} name */
  outside(name) {
    return join(`/proc/${this.pid}/root`, this.folder, name);
  }

  /** Takes all the room there is. */
  fill() {
    const ballast = openSync(this.outside("ballast"), "a");
    try {
      while (writeSync(ballast, Buffer.alloc(4096)) > 0);
    } catch (error) {
      assert.equal(error.code, "ENOSPC");
    } finally {
      closeSync(ballast);
    }
  }

  makeRoom() {
    rmSync(this.outside("ballast"));
  }
}

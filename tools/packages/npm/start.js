#!/usr/bin/env node
// Starts the program of this name from the package of this platform.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");

const program = path.basename(__filename, ".js");
const name = require("../package.json").name;

function find() {
  const platform = `${name}-${process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(require.resolve(`${platform}/package.json`)), "bin", program);
  } catch {
    console.error(`There is no program for ${process.platform} on ${process.arch}, or npm left out optional dependencies.`);
    console.error(`Run 'npm install ${platform}', or build ${name} with Cargo.`);
    process.exit(1);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`${program} could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});

// The thread of bin/watchdog.mjs. It shares only a counter with the main thread, so it works while the main thread is blocked.
//
//   beat … beat … silence ──a third of the time──▶ the database shows a silent worker (/api/health)
//                         ──all of the time─────▶ which run, at which line ▶ counted, logged ▶ SIGKILL
//
// Time counts only while this thread runs too: a sleep of the machine or a stopped process is not silence. It does not count while the
// process starts.
import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

const { cells, name, seconds, startSeconds, databaseUrl } = workerData;
const tickMs = Math.min(250, seconds * 50);
const limitMs = seconds * 1000;
const startedMs = performance.now() + startSeconds * 1000;
const inspectMs = 2_000;
const recordMs = 3_000;
const silentConnectionName = 'callboard-worker-silent';

let seen = Atomics.load(cells, 0);
let silentMs = 0;
/** @type {Promise<import('pg').Client | undefined> | undefined} */
let connection;

for (let last = performance.now(); ; ) {
  await sleep(tickMs);
  const now = performance.now();
  const beats = Atomics.load(cells, 0);
  const isSilent = beats === seen && Atomics.load(cells, 1) === 0 && now >= startedMs;
  silentMs = isSilent ? silentMs + Math.min(now - last, 2 * tickMs) : 0;
  seen = beats;
  last = now;
  if (silentMs >= limitMs) await end();
  else if (silentMs >= limitMs / 3) connection ??= connect();
  else if (connection !== undefined) {
    const opened = connection;
    connection = undefined;
    void opened.then((client) => client?.end()).catch(() => undefined);
  }
}

async function end() {
  const found = await within(inspectMs, whatBlocks());
  const recorded = await within(recordMs, record(found?.executing));
  report(found, recorded === true);
  killChildren();
  // The signal goes to the whole process group, if this process leads one.
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

/** Pauses the main thread, and asks which run it executes at which line. Returns `undefined` when it cannot be paused. */
async function whatBlocks() {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  const paused = new Promise((resolve) => session.once('Debugger.paused', resolve));
  await session.post('Debugger.enable');
  await session.post('Debugger.pause');
  const { callFrames } = (await paused).params;
  const { result } = await session.post('Debugger.evaluateOnCallFrame', {
    callFrameId: callFrames[0].callFrameId,
    expression: `globalThis[Symbol.for('callboard.executing')]?.()`,
    returnByValue: true,
  });
  const stack = callFrames.slice(0, 8).map(({ functionName, location }) => {
    const { scriptId, lineNumber, columnNumber = 0 } = location;
    return `${functionName || '(anonymous)'} ${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`;
  });
  return { executing: result.value, stack };
}

/** Counts the freeze for the run that blocked. For the other runs of this worker, this attempt does not count. */
async function record(executing) {
  const client = await (connection ?? connect());
  if (client === undefined || executing?.run === undefined) return false;
  const { rowCount } = await client.query(
    `UPDATE "Run" SET freezes = freezes + (id = $2)::int,
       attempts = CASE WHEN id = $2 THEN attempts ELSE GREATEST(attempts - 1, 0) END
     WHERE worker = $1 AND status = 'running'`,
    [executing.worker, executing.run],
  );
  return rowCount > 0;
}

async function connect() {
  if (databaseUrl === undefined) return undefined;
  try {
    const { Client } = (await import('pg')).default;
    const client = new Client({
      connectionString: databaseUrl,
      application_name: silentConnectionName,
      connectionTimeoutMillis: recordMs,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch {
    return undefined;
  }
}

async function within(ms, work) {
  return await Promise.race([work.catch(() => undefined), sleep(ms)]);
}

/** Writes a line in the format of the log, because the log itself needs the main thread. */
function report(found, counted) {
  const line = {
    level: 'error',
    time: new Date().toISOString(),
    process: name,
    pid: process.pid,
    worker: found?.executing?.worker,
    run_id: found?.executing?.run,
    counted,
    stack: found?.stack,
    msg: `the main thread did not answer for ${seconds} s; this process is ended`,
  };
  try {
    writeSync(2, `${JSON.stringify(line)}\n`);
  } catch {
    // There is no other place to write the line to.
  }
}

/**
 * Kills servers and code of runs. They have their own process groups; a variable in their environment names this process.
 */
function killChildren() {
  try {
    const mark = `CALLBOARD_CODE_PROCESS=${process.pid}-`;
    for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) killMarked(Number(pid), mark);
  } catch {
    // There is no /proc here, so the next worker kills the processes.
  }
}

function killMarked(pid, mark) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    if (variables.some((one) => one.startsWith(mark))) process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended meanwhile, or belongs to another user.
  }
}

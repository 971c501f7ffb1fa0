/** A longer line is truncated. The length is in UTF-16 units. */
const longest = 300;

/**
 * Matches `Error: Cannot find module …`, `ModuleNotFoundError: No module named …`, `java.io.IOException: …`, `panic: …`.
 */
const exception =
  /^(?:uncaught )?(?:\[cause\]: )?(?:[\w.$:]*(?:error|exception|fault)|error \[\w+\]|panic|fatal|fatal error)\s*(?:\[[\w-]+\])?: /i;
/** Matches errors of shells, operating systems and package managers. */
const complaint =
  /\b(?:E(?:NOENT|ACCES|PERM|ADDRINUSE|CONNREFUSED|NOTFOUND|ISDIR|404)|not found|no such file|no such module|cannot find|can't open|could not|permission denied|is required|missing|unrecognized|unknown option|invalid|not set|not in this registry|failed|refused)\b/i;
/** Matches lines without information. */
const tells = /^(?:npm (?:error|ERR!) A complete log|Node\.js v|Traceback |During handling of|The above exception)/;
/** Matches stack frames, source positions, and the fields that Node prints below an error. */
const place = /^(?:at .*|File ".*", line \d+.*|\^+~*|\.\.\. \d+ .*|\w+: ['"[{].*|[\]})]+,?)$/;

/**
 * Picks the line that best explains why a program ended: the last exception, or else the last error, or else the last line
 * that is not part of a stack. `lines` is not empty.
 *
 *   node:internal/modules/cjs/loader:1386
 *     throw err;
 *   Error: Cannot find module '/srv/tools.mjs'     ◀── this one
 *       at Function._resolveFilename (node:internal/…)
 *     code: 'MODULE_NOT_FOUND',
 *   Node.js v20.20.2
 */
export function tellingLine(lines: readonly string[]): string {
  const candidates = lines.map((line) => line.trim()).filter((line) => !tells.test(line) && !place.test(line));
  const line =
    candidates.findLast((one) => exception.test(one)) ??
    candidates.findLast((one) => complaint.test(one)) ??
    candidates.at(-1) ??
    lines.at(-1)?.trim() ??
    '';
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

import type { z } from 'zod';
import type { Issue } from '@/lib/base/issue';
import { type Fixture, fixtureSchema } from '@/lib/cards/fixture';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import type { Path, YamlSource } from '@/lib/cards/yaml/yaml-source';
import { describeValue, toJson } from './describe-value';
import { FileReport } from './file-report';
import { parseExactly } from './parse-exactly';

export interface FixtureReading {
  /** `undefined` for a file with a fault: a test that is understood in part could pass where it must fail. */
  readonly fixture: Fixture | undefined;
  readonly issues: readonly Issue[];
  /** Kept for later checks against the cards. */
  readonly report: FileReport;
}

/** Reads the description of a test. Every fault is reported at its line. Patterns and schemas are checked by check-expectations.ts. */
export function readFixture(file: string, text: string, yaml: YamlSource): FixtureReading {
  const report = new FileReport(file, text, yaml);
  const done = (fixture?: Fixture): FixtureReading => ({
    fixture: report.issues.length === 0 && yaml.faults.length === 0 ? fixture : undefined,
    issues: report.issues,
    report,
  });
  if (yaml.faults.length > 0) return done();
  for (const { key, offset } of yaml.repeated) {
    report.reportAt('fixture-invalid', offset, `'${key}' is given twice. Remove one of them.`);
  }
  if (!isMapping(yaml.value)) {
    report.report('fixture-invalid', [], `A test must be a mapping, not ${describeValue(yaml.value)}.`);
    return done();
  }
  const read = parseExactly(fixtureSchema, toJson(yaml.value));
  if (!read.success) {
    for (const issue of read.error.issues) reportIssue(report, issue, yaml.value);
    return done();
  }
  return done(read.data);
}

function reportIssue(report: FileReport, issue: z.core.$ZodIssue, value: unknown): void {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const name = [...path, key].join('.');
      report.reportKey(
        'fixture-invalid',
        [...path, key],
        `A test has no key '${name}'. Remove it, or correct its name.`,
      );
    }
    return;
  }
  const found = valueAt(value, path);
  const name = path.join('.');
  if (found === undefined) {
    const line = path.length === 1 && path[0] === 'version' ? "Add the line 'version: 1'." : `Add '${name}'.`;
    report.report('fixture-invalid', path.slice(0, -1), `The test has no '${name}'. ${line}`);
    return;
  }
  const why = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`.replace(/[.]$/, '');
  report.report('fixture-invalid', path, `'${name}' is ${describeValue(found)}: ${why}. Correct it.`);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, key) => {
    if (Array.isArray(parent)) return parent[Number(key)];
    return isMapping(parent) ? parent[key] : undefined;
  }, value);
}

import type { Issue } from '@/lib/base/issue';
import { schemaCheck } from '@/lib/base/json-schema';
import { linearPattern } from '@/lib/base/linear-pattern';
import { roleByName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { FixtureReading } from '@/lib/cards/read/read-fixture';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { readingOf } from './read-folder';

/** Checks the patterns and the JSON Schemas that the tests of a folder expect of answers. Pages do it in another thread: both readers are large. */
export function checkExpectations(folder: Folder): Issue[] {
  return [...folder].flatMap(([path, file]) => {
    if (roleByName(path) !== 'fixture') return [];
    const { fixture } = readingOf(path, file);
    return fixture === undefined ? [] : expectationIssues(fixture);
  });
}

/** Returns the faults of what one test expects of the answer, at their lines. */
export function expectationIssues({ fixture, report }: FixtureReading): readonly Issue[] {
  const { matches = [], schema } = fixture?.expect.answer ?? {};
  const issueAt = (path: Path, message: string) =>
    makeIssue('fixture-invalid', { file: report.file, ...report.placeOf(['expect', 'answer', ...path]) }, message);
  const faults = matches.flatMap((source, index) => {
    const pattern = linearPattern(source);
    return pattern.ok ? [] : [issueAt(['matches', index], `${upperFirst(pattern.error)}. Correct it.`)];
  });
  const check = schema === undefined ? undefined : schemaCheck(schema, '2020-12');
  if (check === undefined || check.ok) return faults;
  return [...faults, issueAt(['schema'], `The JSON Schema of the answer cannot be used: ${check.error}. Correct it.`)];
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

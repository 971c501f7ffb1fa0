import type { Issue } from '@/lib/base/issue';
import { LineIndex } from '@/lib/cards/line-index';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { makeIssue } from './file-report';

/** Returns the fault of a secrets file that cannot be read. The sentence quotes nothing of the file. */
export function secretsFaults(path: string, text: string): readonly Issue[] {
  const yaml = parseYaml({ text, offset: 0 });
  const [fault] = yaml.faults;
  if (fault !== undefined) {
    const place = { file: path, ...new LineIndex(text).positionOf(fault.offset) };
    return [makeIssue(fault.code, place, `The YAML of '${path}' cannot be read from here on. Correct this place.`)];
  }
  if (yaml.value === null || isMapping(yaml.value)) return [];
  const sentence = `'${path}' must be a mapping. Write key: value lines.`;
  return [makeIssue('config-invalid', { file: path, line: 1, column: 1 }, sentence)];
}

import type { Issue } from '@/lib/base/issue';
import { type IssueCode, issueCodes } from '@/lib/cards/issue-codes';
import { LineIndex, type Position } from '@/lib/cards/line-index';
import { keySpan, type Path, valueSpan, type YamlSource } from '@/lib/cards/yaml/yaml-source';

/** A file has at most this many issues, because finding the positions of all of them could take minutes. */
export const maxIssuesPerFile = 200;

/** Collects the issues of one file with YAML, and finds the positions of its values. */
export class FileReport {
  readonly file: string;
  readonly yaml: YamlSource;
  readonly issues: Issue[] = [];
  /** The agent's name, set once it is known. Later issues name the agent. */
  agent: string | undefined;
  /** The issue code of a value of the wrong type, which differs between cards and the config. */
  readonly wrongType: IssueCode;
  readonly lines: LineIndex;
  /** Top-level keys with an issue. */
  readonly faulty = new Set<string | number>();

  constructor(file: string, text: string, yaml: YamlSource, wrongType: IssueCode = 'wrong-type') {
    this.file = file;
    this.yaml = yaml;
    this.wrongType = wrongType;
    this.lines = new LineIndex(text);
  }

  /** Reports at the value of `path`, at its key if the value is empty, or at the nearest existing parent. */
  report(code: IssueCode, path: Path, message: string): void {
    if (!this.isFull()) this.#pushFor(path, code, this.placeOf(path), message);
  }

  reportKey(code: IssueCode, path: Path, message: string): void {
    if (!this.isFull()) this.#pushFor(path, code, this.keyPlaceOf(path), message);
  }

  /** `offset` counts from the start of the file. */
  reportAt(code: IssueCode, offset: number, message: string): void {
    if (!this.isFull()) this.#push(code, this.lines.positionOf(offset), message);
  }

  /** Collects one issue more than is shown, which tells that there are more. */
  isFull(): boolean {
    return this.issues.length > maxIssuesPerFile;
  }

  keyPlaceOf(path: Path): Position {
    const span = keySpan(this.yaml, path);
    return span === undefined ? this.placeOf(path) : this.lines.positionOf(span.start);
  }

  placeOf(path: Path): Position {
    for (let length = path.length; length > 0; length--) {
      const part = path.slice(0, length);
      const value = valueSpan(this.yaml, part);
      if (value !== undefined && value.end > value.start) return this.lines.positionOf(value.start);
      const key = keySpan(this.yaml, part);
      if (key !== undefined) return this.lines.positionOf(key.start);
    }
    return this.lines.positionOf(this.yaml.doc === undefined ? 0 : this.yaml.offset);
  }

  #pushFor(path: Path, code: IssueCode, place: Position, message: string): void {
    if (path[0] !== undefined) this.faulty.add(path[0]);
    this.#push(code, place, message);
  }

  #push(code: IssueCode, { line, column }: Position, message: string): void {
    this.issues.push(makeIssue(code, { file: this.file, line, column, agent: this.agent }, message));
  }
}

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly agent?: string | undefined;
}

export function makeIssue(code: IssueCode, { file, line, column, agent }: Place, message: string): Issue {
  const { severity, stage } = issueCodes[code];
  const issue = { code, severity, stage, file, line, column, message };
  return agent === undefined ? issue : { ...issue, agent };
}

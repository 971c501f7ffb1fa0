import type { ProjectId } from '@/lib/base/ids';
import type { ProjectScope } from '@/lib/base/rights';
import type { RunMarks } from '@/lib/base/run-marks';
import type { RunCondition } from '@/lib/trace/run-filter';
import { type RunState, runStates } from '@/lib/trace/run-state';
import { Prisma } from './generated/client';
import { toPlainJson } from './json-text';
import { containsPattern } from './like-pattern';
import { nameLine } from './run-summaries';
import { searchedText } from './searched-text';

/*
 * Conditions of a filter as SQL over "Run". There are three kinds:
 *
 *   exact    columns that an index holds together with the order of the list: project, group, state, files, time, person
 *   walk     texts, names and numbers, for a scan of the newest runs; active runs have only the beginning of their message
 *   summary  the same conditions for an index search in runs that have ended (migration `run_summaries`)
 */

type Sql = Prisma.Sql;

/** A condition of a person's filter, or the projects whose runs the person may see. */
export type StoredCondition = RunCondition | { readonly field: 'within'; readonly projects: readonly ProjectId[] };

/** Returns the conditions of a filter for somebody who sees the runs of some projects. */
export function scoped(where: readonly RunCondition[], scope: ProjectScope): readonly StoredCondition[] {
  return scope === 'all' ? where : [...where, { field: 'within', projects: scope }];
}

/** Returns the conditions that the scan itself can use. Runs of tests are in no list: the page of tests has them. */
export function exactSql(where: readonly StoredCondition[]): Sql {
  return all([Prisma.sql`fixture IS NULL`, ...where.map(exactOf)]);
}

/** Returns the other conditions, for runs that a scan found. */
export function walkSql(where: readonly StoredCondition[]): Sql {
  return all(where.map((condition) => comparisonOf(condition, 'walk')));
}

/** Returns the conditions of `walkSql` in the form that indexes serve. They hold only for runs with a summary. */
export function summarySql(where: readonly StoredCondition[]): Sql {
  return all([Prisma.sql`summarised`, ...where.map((condition) => comparisonOf(condition, 'summary'))]);
}

/** Returns all conditions, for statements that read every matching run. */
export function wholeSql(where: readonly StoredCondition[]): Sql {
  return Prisma.sql`${exactSql(where)} AND ${walkSql(where)}`;
}

/** True if the scan itself compares the condition. */
export function isExact(condition: StoredCondition): boolean {
  return comparisonOf(condition, 'walk') === undefined;
}

/** True if an index finds the runs of the condition. A trigram index needs three letters or digits in a row. */
export function isIndexed(condition: StoredCondition): boolean {
  switch (condition.field) {
    case 'duration':
    case 'waited':
    case 'people':
    case 'cost':
    case 'tokens':
    case 'errors':
      return true;
    case 'score':
      return condition.operator !== 'none';
    case 'user':
    case 'tag':
    case 'metadata':
      return condition.operator === 'is';
    case 'agent':
    case 'tool':
    case 'hook':
    case 'model':
      return condition.operator !== 'not' && hasTrigram(condition.value);
    case 'text':
      return hasTrigram(condition.value);
    default:
      return false;
  }
}

function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

function all(conditions: readonly (Sql | undefined)[]): Sql {
  return Prisma.join([Prisma.sql`true`, ...conditions.filter((condition) => condition !== undefined)], ' AND ');
}

function exactOf(condition: StoredCondition): Sql | undefined {
  switch (condition.field) {
    case 'project':
      return Prisma.sql`"projectId" = ${condition.value}`;
    case 'within':
      return condition.projects.length === 1
        ? Prisma.sql`"projectId" = ${condition.projects[0]}`
        : Prisma.sql`"projectId" = ANY(${[...condition.projects]}::text[])`;
    case 'correlation':
      return Prisma.sql`"correlationId" = ${condition.value}`;
    case 'trigger':
      // The id of a trigger, which may be deleted, or the name of one.
      return Prisma.sql`"triggerId" = ANY(ARRAY(SELECT ${condition.value}::text UNION SELECT id FROM "Trigger" WHERE name = ${condition.value}))`;
    case 'revision':
      return Prisma.sql`"revisionId" IN (SELECT id FROM "Revision" WHERE number = ${condition.value})`;
    case 'files': {
      // The range is for the index, which serves LIKE in the C collation alone. A hash has no letter after f.
      const start = condition.value.toLowerCase();
      return Prisma.sql`("treeHash" BETWEEN ${start} AND ${`${start}z`} AND "treeHash" LIKE ${`${start}%`})`;
    }
    case 'source':
      return sourceOf(condition.operator, condition.value);
    case 'by':
      return condition.operator === 'is' ? Prisma.sql`"startedBy" = ${condition.value}` : undefined;
    case 'status': {
      const states = statesOf(condition);
      if (states.length === 0) return Prisma.sql`false`;
      return states.length === 1
        ? Prisma.sql`status = ${states[0]}`
        : Prisma.sql`status IN (${Prisma.join([...states])})`;
    }
    case 'time': {
      const at = new Date(condition.value);
      return condition.operator === 'after' ? Prisma.sql`"createdAt" >= ${at}` : Prisma.sql`"createdAt" < ${at}`;
    }
    default:
      return undefined;
  }
}

/** Most runs are Callboard's own. The others have an index, whose condition the query must repeat. */
function sourceOf(operator: 'is' | 'not', value: string): Sql {
  const isOwn = value === 'callboard';
  if (operator === 'not') return isOwn ? Prisma.sql`source <> 'callboard'` : Prisma.sql`source <> ${value}`;
  return isOwn ? Prisma.sql`source = 'callboard'` : Prisma.sql`(source <> 'callboard' AND source = ${value})`;
}

function statesOf({ operator, values }: Extract<RunCondition, { field: 'status' }>): readonly RunState[] {
  return operator === 'is' ? values : runStates.filter((state) => !values.includes(state));
}

/** Beyond this many projects, one scan over all of them is cheaper than one scan for each. */
const mostSplit = 20;

/**
 * Splits conditions that allow several projects or states into one list for each. The indexes of projects and states have the order
 * of the list within one of them only.
 */
export function perIndexOrder(where: readonly StoredCondition[]): readonly (readonly StoredCondition[])[] {
  return perProject(where).flatMap(perState);
}

function perProject(where: readonly StoredCondition[]): readonly (readonly StoredCondition[])[] {
  const within = where.find((condition) => condition.field === 'within');
  const isOne = where.some(({ field }) => field === 'project');
  if (within?.field !== 'within' || isOne || within.projects.length > mostSplit || within.projects.length === 0) {
    return [where];
  }
  return within.projects.map((project) =>
    where.map((condition) => (condition === within ? { field: 'within', projects: [project] } : condition)),
  );
}

function perState(where: readonly StoredCondition[]): readonly (readonly StoredCondition[])[] {
  const asked = where.find((condition) => condition.field === 'status');
  if (asked?.field !== 'status' || statesOf(asked).length < 2) return [where];
  return statesOf(asked).map((state) => {
    const one: RunCondition = { field: 'status', operator: 'is', values: [state] };
    return where.map((condition) => (condition === asked ? one : condition));
  });
}

type Form = 'walk' | 'summary';

function comparisonOf(condition: StoredCondition, form: Form): Sql | undefined {
  switch (condition.field) {
    case 'duration':
      return compare(Prisma.sql`"finishedAt" - "startedAt"`, condition.operator, interval(condition.value));
    case 'waited':
      return compare(Prisma.sql`"waitedMs"`, condition.operator, Prisma.sql`${condition.value}::float8`);
    case 'people':
      return compare(Prisma.sql`"peopleMs"`, condition.operator, Prisma.sql`${condition.value}::float8`);
    case 'cost':
      return compare(Prisma.sql`"costUsd"`, condition.operator, Prisma.sql`${condition.value}::float8`);
    case 'tokens':
      return compare(Prisma.sql`tokens`, condition.operator, Prisma.sql`${condition.value}::float8`);
    case 'errors':
      return compare(Prisma.sql`errors`, condition.operator, Prisma.sql`${condition.value}::float8`);
    case 'agent':
    case 'tool':
    case 'hook':
    case 'model':
      return nameOf(condition, form);
    case 'text':
      return textOf(condition.value, form);
    case 'score':
      return scoreOf(condition, form);
    case 'user':
      return markOf(condition.operator, { user: condition.value });
    case 'tag':
      return markOf(condition.operator, { tags: [condition.value] });
    case 'metadata':
      return markOf(condition.operator, { metadata: { [condition.name]: condition.value } });
    case 'by':
      // No index finds the runs of everybody else, so that the scan has an end.
      return condition.operator === 'not' ? Prisma.sql`"startedBy" IS DISTINCT FROM ${condition.value}` : undefined;
    default:
      return undefined;
  }
}

function compare(value: Sql, operator: 'gt' | 'lt', limit: Sql): Sql {
  return operator === 'gt' ? Prisma.sql`${value} > ${limit}` : Prisma.sql`${value} < ${limit}`;
}

function markOf(operator: 'is' | 'not', marks: RunMarks): Sql {
  const has = Prisma.sql`marks @> ${toPlainJson(marks)}::jsonb`;
  return operator === 'is' ? has : Prisma.sql`${has} IS NOT TRUE`;
}

const comparisons = { lt: Prisma.sql`<`, gt: Prisma.sql`>`, min: Prisma.sql`>=` } as const;

/**
 * An index search begins with the means. A scan looks up the mean of each run: a subquery of one value, because Postgres would join
 * EXISTS with the means of all runs.
 */
function scoreOf(condition: Extract<RunCondition, { field: 'score' }>, form: Form): Sql {
  const named = Prisma.sql`score.name = ${condition.name ?? ''}`;
  const wanted = (mean: Sql) =>
    'value' in condition
      ? Prisma.sql`${mean} ${comparisons[condition.operator]} ${condition.value}::float8`
      : Prisma.sql`${mean} IS NOT NULL`;
  if (form === 'summary' && condition.operator !== 'none') {
    return Prisma.sql`id IN (SELECT score."runId" FROM "ScoreMean" score WHERE ${named} AND ${wanted(Prisma.sql`score.mean`)})`;
  }
  const mean = Prisma.sql`(SELECT score.mean FROM "ScoreMean" score WHERE score."runId" = id AND ${named})`;
  return condition.operator === 'none' ? Prisma.sql`${mean} IS NULL` : wanted(mean);
}

function interval(ms: number): Sql {
  return Prisma.sql`make_interval(secs => ${ms / 1_000}::float8)`;
}

const columns = {
  agent: Prisma.sql`agents`,
  tool: Prisma.sql`tools`,
  hook: Prisma.sql`hooks`,
  model: Prisma.sql`models`,
} as const;
/** The agent of a run that has no summary yet. */
const firstAgent = Prisma.sql`COALESCE("entryAgent", agent, '')`;

function nameOf(condition: Extract<RunCondition, { field: keyof typeof columns }>, form: Form): Sql {
  const { field, operator, value } = condition;
  const column = columns[field];
  const pattern = operator === 'contains' ? containsPattern(value) : containsPattern(`\n${nameLine(value)}\n`);
  const listed =
    operator === 'contains' ? Prisma.sql`${column} ILIKE ${pattern}` : Prisma.sql`${column} LIKE ${pattern}`;
  if (form === 'summary' && operator !== 'not') return listed;
  const known = Prisma.sql`COALESCE(${listed}, false)`;
  const first =
    operator === 'contains' ? Prisma.sql`${firstAgent} ILIKE ${pattern}` : Prisma.sql`${firstAgent} = ${value}`;
  const either = field === 'agent' ? Prisma.sql`(${known} OR ${first})` : known;
  return operator === 'not' ? Prisma.sql`NOT ${either}` : either;
}

/** Texts are stored with their case folded. Of summaries of older versions, which are not, ILIKE finds ASCII. */
function textOf(text: string, form: Form): Sql {
  const listed = Prisma.sql`texts ILIKE ${containsPattern(searchedText(text))}`;
  return form === 'summary' ? listed : Prisma.sql`COALESCE(${listed}, false)`;
}

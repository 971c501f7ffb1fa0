import type { Sketch } from '@/lib/graph/thumbnail';

/** The groups of templates, in the order of the dialog of a new project. */
export const templateGroups = ['Start', 'Workflows', 'Hooks', 'People', 'Teams'] as const;

export type TemplateGroup = (typeof templateGroups)[number];

/** A sample as it is offered for a new project. */
export interface Template {
  readonly id: string;
  /** The heading of its README, which becomes the name of the project. */
  readonly title: string;
  /** Its name in the list, one to three words. */
  readonly short: string;
  readonly description: string;
  /** What a run needs that this installation does not offer. */
  readonly needs: readonly ('python' | 'key' | 'remote')[];
  readonly group: TemplateGroup;
  /** Its graph as boxes and lines. */
  readonly sketch: Sketch;
}

/** The group and the short name of each folder of `examples/`. A folder that is not here is in the first group. */
const places: Readonly<Record<string, readonly [TemplateGroup, string]>> = {
  pmo: ['Start', 'Project office'],
  'pmo-openai': ['Start', 'Office with a model'],
  'city-times': ['Start', 'Two cities'],
  'one-card': ['Start', 'One card'],
  'tool-kinds': ['Start', 'Kinds of tools'],
  'workflow-chain': ['Workflows', 'Chain'],
  'workflow-parallel': ['Workflows', 'Parallel'],
  'workflow-router': ['Workflows', 'Router'],
  'workflow-evaluator': ['Workflows', 'Evaluator'],
  'workflow-orchestrator': ['Workflows', 'Orchestrator'],
  'workflow-planner': ['Workflows', 'Planner'],
  'workflow-maker': ['Workflows', 'MAKER'],
  'workflow-a2a': ['Workflows', 'Remote agent'],
  'hooks-typescript': ['Hooks', 'TypeScript hooks'],
  'hooks-python': ['Hooks', 'Python hooks'],
  approvals: ['People', 'Approvals'],
  'asking-analyst': ['People', 'Asking analyst'],
  coordinator: ['Teams', 'Trip planner'],
  'data-processor': ['Teams', 'Data and schemas'],
  'expert-session': ['Teams', 'Expert with memory'],
  workers: ['Teams', 'Workers'],
};

/** Returns where a sample is listed and under which name. */
export function templatePlace(id: string, title: string): Pick<Template, 'group' | 'short'> {
  const [group, short] = places[id] ?? (['Start', title] as const);
  return { group, short };
}

/** Returns the templates in which every typed word occurs, by group. Groups without one are left out. */
export function findTemplates<T extends Pick<Template, 'group' | 'short' | 'title' | 'description'>>(
  templates: readonly T[],
  typed: string,
): readonly { readonly group: TemplateGroup; readonly templates: readonly T[] }[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const order = Object.keys(places);
  return templateGroups.flatMap((group) => {
    const found = templates.filter((one) => {
      const text = `${one.short} ${one.title} ${one.description} ${group}`.toLowerCase();
      return one.group === group && words.every((word) => text.includes(word));
    });
    const placeOf = ({ short }: T) => order.findIndex((id) => places[id]?.[1] === short);
    return found.length === 0 ? [] : [{ group, templates: found.sort((a, b) => placeOf(a) - placeOf(b)) }];
  });
}

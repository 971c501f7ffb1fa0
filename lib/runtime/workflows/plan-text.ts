import type { DoneStep, Task } from './plan';

/** The texts of a planner: what its model and the agents of its tasks are told. */

export const plannerInstruction = `You reach an objective with the help of agents. You do not do the work yourself: you decide on the next step, give each of its tasks to an agent, read the results, and decide again.`;

export const plannerRules = `A step has one or more tasks. The tasks of one step run at the same time, so none of them may need the result of another. Each task names one agent, as it stands in the list, and says all that the agent has to do: an agent knows the objective, the results so far and its own task.`;

/** `remaining`: how many steps may still be planned; `undefined`: no number is set. */
export function planPrompt(objective: string, done: readonly DoneStep[], remaining: number | undefined): string {
  const most =
    remaining === undefined ? '' : ` At most ${remaining} more ${remaining === 1 ? 'step' : 'steps'} can run.`;
  return `${objectiveText(objective)}

${progressText(done)}

Decide on the next step.${most} Set 'is_complete' to true, without tasks, when the objective is reached, when what is left would add little, when the results are enough for an answer, or when the agents cannot reach the objective.`;
}

export function taskText(objective: string, done: readonly DoneStep[], { description }: Task): string {
  return `You do one task of a plan. Others do the rest.

${objectiveText(objective)}

${progressText(done)}

Your task:
<task>
${description}
</task>

Do this task and nothing else. Answer briefly with its result, so that the planner can see what is done.`;
}

export function summaryPrompt(objective: string, done: readonly DoneStep[], isComplete: boolean): string {
  const steps = done.length === 1 ? '1 step' : `${done.length} steps`;
  const end = isComplete
    ? 'The plan is complete. Answer the objective from the results.'
    : `The plan is not complete: it stopped after ${steps}, because no more may run. Answer the objective as far as the results allow, and say clearly what was done and what remains.`;
  return `${objectiveText(objective)}

${progressText(done)}

${end} A result that begins with ERROR is a task that failed. Write Markdown.`;
}

function objectiveText(objective: string): string {
  return `The objective:
<objective>
${objective}
</objective>`;
}

function progressText(done: readonly DoneStep[]): string {
  if (done.length === 0) return 'No step has run so far.';
  return ['The steps so far:', '<steps>', ...done.map(stepText), '</steps>'].join('\n');
}

function stepText({ description, tasks }: DoneStep, index: number): string {
  const results = tasks.map(
    (task) =>
      `<task agent="${task.agent}">\n<description>${task.description}</description>\n<result>\n${task.result}\n</result>\n</task>`,
  );
  return [`<step number="${index + 1}">`, `<description>${description}</description>`, ...results, '</step>'].join(
    '\n',
  );
}

import { Bot } from 'lucide-react';
import { Select } from '@/components/ui/select';
import type { ChatChoices } from './chat-services';

const entry = 'entry of the project';

/** Chooses the agent to talk with. A conversation that has begun keeps its agent. */
export function AgentChoice(props: {
  readonly choices: ChatChoices;
  /** `undefined` stands for the entry agent. */
  readonly value: string | undefined;
  readonly onChange: (agent: string | undefined) => void;
  /** The agent of the conversation, if it has begun. */
  readonly fixed: string | undefined;
}) {
  const { choices, value, onChange, fixed } = props;
  if (fixed !== undefined) {
    return (
      <span
        className="inline-flex h-7 min-w-0 items-center gap-1.5 text-muted text-xs"
        title="A conversation keeps its agent"
      >
        <Bot aria-hidden className="size-3.5 shrink-0 text-agent" />
        <span className="min-w-0 truncate">
          <span className="sr-only">Agent: </span>
          {fixed}
        </span>
      </span>
    );
  }
  return (
    <Select
      aria-label="Agent"
      size="sm"
      className="max-sm:flex-1 sm:w-40 sm:shrink-0"
      value={value ?? entry}
      onValueChange={(next) => onChange(next === entry ? undefined : next)}
      options={[
        { value: entry, label: choices.entry === undefined ? 'Entry (none)' : `Entry: ${choices.entry}` },
        ...choices.agents.map((name) => ({ value: name, label: name })),
      ]}
    />
  );
}

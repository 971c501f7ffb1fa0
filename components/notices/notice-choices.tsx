'use client';

import { useState } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { groupNames, type NoticeChoice, type PersonGroup } from '@/lib/base/notices';

interface GroupChoice extends NoticeChoice {
  readonly group: PersonGroup;
}

export interface NoticeChoicesFormProps {
  readonly first: { readonly choices: readonly GroupChoice[]; readonly sendsMail: boolean };
  /** Resolves to all choices. Rejects with an Error whose message users may see. */
  readonly onChoose: (choice: GroupChoice) => Promise<NoticeChoicesFormProps['first']>;
}

const groupWords: Readonly<Record<PersonGroup, string>> = {
  reviews: 'You are asked for one, mentioned, or somebody decided about yours.',
  published: 'Another revision of a project is live.',
  runs: 'A run of yours failed, or cost or took more than its project allows.',
  alerts: 'An error rate, a duration or a cost crossed the line of an alert, or is back.',
  commands: 'A project asks for what it starts, or an administrator decided about what you asked for.',
  upkeep: 'A trigger was switched off, or a mirror failed.',
};

/** Chooses, group by group, whether the person hears of it here and by mail. */
export function NoticeChoicesForm({ first, onChoose }: NoticeChoicesFormProps) {
  const [{ choices, sendsMail }, setState] = useState(first);
  const [fault, setFault] = useState<string>();
  const choose = async (choice: GroupChoice) => {
    setFault(undefined);
    try {
      setState(await onChoose(choice));
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section aria-label="How you are notified" className="flex flex-col gap-2">
      <h2 className="font-medium text-ink text-sm">How you are notified</h2>
      <ul className="divide-y rounded-lg border bg-surface shadow-card">
        {choices.map((choice) => {
          const title = groupNames[choice.group];
          return (
            <li key={choice.group} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm">
              <p className="min-w-0 flex-1 basis-56 text-ink">
                {title}
                <span className="block text-muted text-xs">{groupWords[choice.group]}</span>
              </p>
              <Choice
                label={`${title} here`}
                words="Here"
                checked={choice.inApp}
                onToggle={() => void choose({ ...choice, inApp: !choice.inApp })}
              />
              {sendsMail && (
                <Choice
                  label={`${title} by mail`}
                  words="By mail"
                  checked={choice.mail}
                  onToggle={() => void choose({ ...choice, mail: !choice.mail })}
                />
              )}
            </li>
          );
        })}
      </ul>
      {fault !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
    </section>
  );
}

function Choice(props: {
  readonly label: string;
  readonly words: string;
  readonly checked: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <span className="flex items-center text-muted text-xs">
      <Checkbox label={props.label} checked={props.checked} onToggle={props.onToggle} />
      <span aria-hidden>{props.words}</span>
    </span>
  );
}

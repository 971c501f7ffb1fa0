import { useMemo } from 'react';
import { PickOne } from '@/components/ui/picker';
import { choicesOf } from '@/lib/editor/model-choices';
import type { ChatChoices } from './chat-services';

/** Chooses the model of the next message. */
export function ModelChoice(props: {
  readonly choices: ChatChoices;
  readonly value: string | undefined;
  readonly onChange: (model: string | undefined) => void;
}) {
  const { choices, value, onChange } = props;
  const { models, here, defaultModel } = choices;
  const options = useMemo(() => choicesOf(models, {}, here), [models, here]);
  return (
    <PickOne
      label="Model"
      size="sm"
      className="max-sm:flex-1 sm:w-52 sm:shrink-0"
      freeText
      value={value}
      none={models.hasScript ? 'Model: project script' : `Model: ${defaultModel ?? 'as the cards say'}`}
      searchPlaceholder="Search, or type a model"
      options={options}
      onChange={onChange}
    />
  );
}

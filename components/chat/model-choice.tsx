import { useMemo } from 'react';
import { useKeyRows } from '@/components/keys/use-key-rows';
import { PickOne } from '@/components/ui/picker';
import { choicesOf } from '@/lib/editor/model-choices';
import type { ChatChoices } from './chat-services';

/** Chooses the model of the next message. */
export function ModelChoice(props: {
  readonly choices: ChatChoices;
  readonly value: string | undefined;
  readonly onChange: (model: string | undefined) => void;
}) {
  const { choices, value } = props;
  const { models, here, defaultModel } = choices;
  const listed = useMemo(() => choicesOf(models, {}, here), [models, here]);
  const { options, onChange, dialog } = useKeyRows(listed, props.onChange);
  return (
    <>
      <PickOne
        label="Model"
        size="sm"
        className="max-sm:flex-1 sm:w-52 sm:shrink-0"
        freeText
        value={value}
        none={models.hasScript ? 'Model: project script' : `Model: ${defaultModel ?? 'from the cards'}`}
        searchPlaceholder="Search, or type a model"
        options={options}
        onChange={onChange}
      />
      {dialog}
    </>
  );
}

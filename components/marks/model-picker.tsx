'use client';

import { Settings } from 'lucide-react';
import { type ComponentProps, useDeferredValue, useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { PickOne } from '@/components/ui/picker';
import { withSecrets } from '@/lib/cards/read/secrets';
import { modelChoices } from '@/lib/editor/model-choices';
import { modelEnvOf } from '@/lib/editor/picture';

type PickerProps = ComponentProps<typeof PickOne>;

/** Chooses a model of the providers that can be called here, or any other by its name. */
export function ModelPicker(
  props: Pick<
    PickerProps,
    'id' | 'label' | 'value' | 'onChange' | 'none' | 'size' | 'aria-describedby' | 'aria-invalid'
  >,
) {
  const options = useModelOptions();
  return (
    <PickOne
      {...props}
      freeText
      searchPlaceholder="Search, or type a model"
      options={options}
      actions={[
        {
          label: () => 'Keys and addresses of providers',
          icon: <Settings aria-hidden />,
          movesFocus: true,
          onSelect: () => window.open('/settings', '_blank', 'noopener'),
        },
      ]}
    />
  );
}

/** The list follows a key after the text and the canvas, because it is made of every card. */
function useModelOptions() {
  const parsed = useDeferredValue(useProject((state) => state.picture.drawn));
  const folder = useDeferredValue(useProject((state) => state.document.folder));
  const installation = useProject((state) => state.installation);
  return useMemo(() => {
    const { config } = withSecrets(parsed, folder);
    return modelChoices(parsed, config.providers, modelEnvOf(installation));
  }, [parsed, folder, installation]);
}

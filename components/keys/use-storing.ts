import { type FormEvent, useState } from 'react';
import { showToast } from '@/components/ui/toast';

interface Storing {
  /** Stores the typed value. Rejects with an Error whose message users may see. */
  readonly store: (value: string) => Promise<void>;
  /** What is said once it is stored. */
  readonly said: string;
  readonly onClose: () => void;
}

/** The state of a dialog that stores a typed value and closes. After a refusal the value stays. */
export function useStoring({ store, said, onClose }: Storing) {
  const [value, setValue] = useState('');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isWhole = value.trim() !== '';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog is in its opener's form for React.
    event.stopPropagation();
    if (isBusy || !isWhole) return;
    setBusy(true);
    setFault(undefined);
    try {
      await store(value.trim());
      showToast({ text: said, tone: 'ok' });
      onClose();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'The value could not be stored. Try again.');
      setBusy(false);
    }
  };
  return { value, setValue, fault, isBusy, isWhole, submit };
}

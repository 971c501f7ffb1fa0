import { useRemembered } from '@/components/ui/remembered';

/** Whose questions this browser tells of while a tab is open. */
export const noticeChoices = ['all', 'mine', 'none'] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

export interface NoticeSetting {
  readonly who: NoticeChoice;
  readonly sound: boolean;
  readonly setWho: (who: NoticeChoice) => void;
  readonly setSound: (sound: boolean) => void;
}

/** The setting of this browser. Nothing is told, and nothing sounds, until a person says so. */
export function useNoticeSetting(): NoticeSetting {
  const [who, setWho] = useRemembered('notices', 'none');
  const [sound, setSound] = useRemembered('notice-sound', 'off');
  return {
    who: noticeChoices.find((each) => each === who) ?? 'none',
    sound: sound === 'on',
    setWho,
    setSound: (on) => setSound(on ? 'on' : 'off'),
  };
}

const paths = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  back: "M18 5v14l-9-7zM5.5 5H8v14H5.5z",
  step: "M6 5v14l9-7zM16 5h2.5v14H16z",
  restart: "M12 5a7 7 0 1 1-6.6 4.7M12 1.5 8.5 5 12 8.5",
  page: "M3.5 5.5h17v13h-17zM3.5 9.5h17",
  server: "M5 4h14v6.5H5zM5 13.5h14V20H5zM8 7.2h.1M8 16.8h.1",
  countersign: "M19 7.2A8.5 8.5 0 1 0 19 16.8M9.5 12l2.5 2.5L19.5 7.5",
  phone: "M7.5 2.5h9v19h-9zM11 18.5h2",
  sources:
    "M5 6c0-1.4 3.1-2.5 7-2.5S19 4.6 19 6v12c0 1.4-3.1 2.5-7 2.5S5 19.4 5 18zM5 6c0 1.4 3.1 2.5 7 2.5S19 7.4 19 6M5 12c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5",
  done: "M5 12.5l4.5 4.5L19 7.5",
} as const;
export type IconName = keyof typeof paths;

const filled: readonly IconName[] = ["play", "pause", "back", "step"];

/** A decorative icon. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={filled.includes(name) ? "icon filled" : "icon"} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

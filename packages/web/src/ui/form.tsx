import type { JSX } from "preact";

type Props = Omit<JSX.IntrinsicElements["form"], "onSubmit"> & { onSubmit(): unknown };

/** A form that a script submits. The browser does not validate it, because its fields show their own problems. */
export function Form({ onSubmit, ...attributes }: Props) {
  return (
    <form
      noValidate
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    />
  );
}

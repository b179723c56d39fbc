import type { JSX } from "preact";

type Props = Omit<JSX.IntrinsicElements["form"], "onSubmit"> & { onSubmit(): unknown };

/** A form that a script submits. Its fields show their own problems, so the browser does not validate them. */
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

import { FC, useMemo } from "react";
import { Button } from "./button";

interface Props {
  label: string;
  onPress?: () => void;
}

/** A labelled button. */
export const Labelled: FC<Props> = ({ label, onPress }) => {
  const text = useMemo(() => label.trim(), [label]);
  return (
    <div className="row">
      <Button onPress={onPress} kind={text as string} />
    </div>
  );
};

export function List<T extends object>(props: { items: T[] }) {
  return <>{props.items.map((item, index) => <Labelled key={index} label={String(item)} />)}</>;
}

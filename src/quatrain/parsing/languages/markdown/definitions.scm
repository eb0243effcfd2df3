; A section is known by its heading.
(section (atx_heading heading_content: (inline) @name)) @definition.namespace
(setext_heading heading_content: (paragraph (inline) @name)) @definition.namespace

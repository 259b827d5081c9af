; HTML, and the templates that are nearly HTML. Elements with an id are sections by that id, large elements without one by
; their tag; a heading goes on to the next that is not deeper. Custom elements are used by their tag, as components are.

((document) @_file (#set! nesting "tags"))

((element . [(start_tag . (tag_name) @label (attribute . (attribute_name) @_id .
      [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag . (tag_name) @label (attribute . (attribute_name) @_id .
      [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))]) @definition.section
  (#eq? @_id "id") (#not-match? @label "^[hH][1-6]$"))
((element . (start_tag . (tag_name) @name) @_tag) @definition.section
  (#any-of? @name "head" "header" "nav" "main" "section" "article" "aside" "footer" "form" "table" "dialog" "template" "svg")
  (#not-match? @_tag "\\sid\\s*="))
((script_element . (start_tag . (tag_name) @name) . (raw_text) @_code) @definition.section (#match? @_code "\\S"))
(style_element . (start_tag . (tag_name) @name)) @definition.section
((element . (start_tag . (tag_name) @_tag) . [(text) @name (element . (start_tag) . (text) @name)]) @heading.1
  (#any-of? @_tag "h1" "H1"))
((element . (start_tag . (tag_name) @_tag) . [(text) @name (element . (start_tag) . (text) @name)]) @heading.2
  (#any-of? @_tag "h2" "H2"))
((element . (start_tag . (tag_name) @_tag) . [(text) @name (element . (start_tag) . (text) @name)]) @heading.3
  (#any-of? @_tag "h3" "H3"))
((element . (start_tag . (tag_name) @_tag) . [(text) @name (element . (start_tag) . (text) @name)]) @heading.4
  (#any-of? @_tag "h4" "H4" "h5" "H5" "h6" "H6"))

(comment) @comment

((script_element . (start_tag (attribute . (attribute_name) @_src (quoted_attribute_value (attribute_value) @import)))) @span
  (#eq? @_src "src") (#not-match? @import "[{<]"))
((start_tag . (tag_name) @_link (attribute . (attribute_name) @_href (quoted_attribute_value (attribute_value) @import))) @span
  (#eq? @_link "link") (#eq? @_href "href") (#match? @span "stylesheet|preload|manifest|import")
  (#not-match? @import "[{<]"))
((self_closing_tag . (tag_name) @_link (attribute . (attribute_name) @_href (quoted_attribute_value (attribute_value) @import))) @span
  (#eq? @_link "link") (#eq? @_href "href") (#match? @span "stylesheet|preload|manifest|import")
  (#not-match? @import "[{<]"))

((start_tag . (tag_name) @reference.call) (#match? @reference.call "-|^[A-Z][a-z]"))
((self_closing_tag . (tag_name) @reference.call) (#match? @reference.call "-|^[A-Z][a-z]"))
